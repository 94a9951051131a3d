import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { freePort, startRedis } from '@perdure/stack/services';
import { obtainRedisServer } from './redis-program.js';
import { testServices } from './shared-servers.js';

/** A Redis of a test's own: it may be stopped, killed, flushed and started again at the same address. */
export interface TestRedis {
  url: string;
  /** Orderly, keeping what the append-only file holds. */
  stop(): Promise<void>;
  /** SIGKILL. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Stops it for good. */
  drop(): Promise<void>;
}

export async function createTestRedis(): Promise<TestRedis> {
  const dataDir = path.join(testServices().runFolder, `redis-${randomBytes(6).toString('hex')}`);
  const program = obtainRedisServer();
  const port = await freePort();
  const launch = () => startRedis({ dataDir, port, program, persistent: true });
  let running = await launch();
  const stop = () => running.stop();
  return {
    url: running.url,
    stop,
    kill: async () => {
      process.kill(running.pid, 'SIGKILL');
      await running.exited;
    },
    start: async () => {
      running = await launch();
    },
    drop: stop,
  };
}
