import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createConnection, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A redis-server of a test's own, which the test may kill and bring back on the same port. */
export interface TestRedis {
  readonly url: string;
  start(): Promise<void>;
  /** SIGKILL: nothing is said to the clients. */
  kill(): Promise<void>;
  /** SIGSTOP and SIGCONT: connections stay open and nothing answers. */
  freeze(): void;
  thaw(): void;
  /** Ends the server and removes its folder. */
  remove(): Promise<void>;
}

/** Reserves a port; the server runs once `start` was called. `settings` are redis.conf lines as arguments. */
export async function testRedis(settings: Record<string, string> = {}): Promise<TestRedis> {
  const port = await freePort();
  const folder = await mkdtemp(path.join(tmpdir(), 'perdure-redis-'));
  let server: ChildProcess | null = null;
  const kill = async () => {
    if (!server) return;
    const ended = once(server, 'exit');
    server.kill('SIGKILL');
    await ended;
    server = null;
  };
  return {
    url: `redis://127.0.0.1:${port}/0`,
    async start() {
      const all = { port: String(port), bind: '127.0.0.1', dir: folder, save: '', appendonly: 'no', ...settings };
      const flags = Object.entries(all).flatMap(([name, value]) => [`--${name}`, value]);
      server = spawn('redis-server', flags, { stdio: 'ignore' });
      await once(server, 'spawn');
      await untilListening(port);
    },
    kill,
    freeze: () => void server?.kill('SIGSTOP'),
    thaw: () => void server?.kill('SIGCONT'),
    async remove() {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A port nobody listens on at this moment. */
export async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('a listening server has a port');
  return address.port;
}

async function untilListening(port: number): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    if (await accepts(port)) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`redis-server did not listen on port ${port} within 5 seconds`);
}

async function accepts(port: number): Promise<boolean> {
  const socket = createConnection({ port, host: '127.0.0.1' });
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
