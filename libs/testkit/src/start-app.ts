import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  ApplicationStartError,
  endProcess,
  forgetProcess,
  freePort,
  noteProcess,
  REPOSITORY_ROOT,
  startApplication,
} from '@perdure/stack/services';
import { testServices } from './shared-servers.js';

/** A built application in a process of its own. */
export interface TestApp {
  url: string;
  pid: number;
  /** SIGTERM, as a supervisor would; SIGKILL after 5 s. */
  stop(): Promise<void>;
  /** SIGKILL: what a crash looks like. */
  kill(): Promise<void>;
  /** Everything it wrote to stdout and stderr so far. */
  log(): string;
}

/** A free port can be taken by a neighbour before the application binds it; seen with two jest workers. */
const PORT_ATTEMPTS = 3;

/**
 * Starts `apps/<name>/dist/main.js` on a free port and waits until it is ready. What a test leaves running is ended with
 * the run. Throws with the end of its log when it dies or does not become ready; needs `npm run build`.
 */
export async function startApp(name: string, env: Readonly<Record<string, string>>): Promise<TestApp> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await startOn(await freePort(), name, env);
    } catch (error) {
      const portTaken = error instanceof ApplicationStartError && error.message.includes('EADDRINUSE');
      if (!portTaken || attempt === PORT_ATTEMPTS) throw error;
    }
  }
}

async function startOn(port: number, name: string, env: Readonly<Record<string, string>>): Promise<TestApp> {
  const { runFolder } = testServices();
  const id = `${name}-${randomBytes(4).toString('hex')}`;
  const logFile = path.join(runFolder, 'logs', `${id}.log`);
  const notes = path.join(runFolder, 'run');
  const url = `http://127.0.0.1:${port}`;
  const running = await startApplication({
    name,
    script: path.join(REPOSITORY_ROOT, 'apps', name, 'dist', 'main.js'),
    env: {
      ...process.env,
      PERDURE_HTTP_HOST: '127.0.0.1',
      PERDURE_HTTP_PORT: String(port),
      PERDURE_PUBLIC_URL: url,
      ...env,
    },
    logFile,
    readyUrl: `${url}/readyz`,
    onSpawned: (pid) => noteProcess(notes, id, pid),
  });
  const ended = async (end: Promise<unknown>) => {
    await end;
    forgetProcess(notes, id);
  };
  return {
    url,
    pid: running.pid,
    stop: () => ended(running.stop()),
    kill: () => ended(endProcess(running.pid, [['SIGKILL', 5000]])),
    log: () => readFileSync(logFile, 'utf8'),
  };
}
