import { spawn } from 'node:child_process';
import path from 'node:path';
import { endProcess, freePort, REPOSITORY_ROOT, startApplication } from '@perdure/stack/services';

export interface StartedProcess {
  readonly port: number;
  readonly pid: number;
  stop(): Promise<void>;
}

/** A built application on a free port, ready. Its log goes below `folder`. */
export async function startApp(
  name: string,
  folder: string,
  env: Readonly<Record<string, string>>,
): Promise<StartedProcess> {
  const port = await freePort();
  const running = await startApplication({
    name,
    script: path.join(REPOSITORY_ROOT, 'apps', name, 'dist', 'main.js'),
    env: { ...process.env, PERDURE_ENV: 'production', PERDURE_HTTP_PORT: String(port), ...env },
    logFile: path.join(folder, 'logs', `${name}-${port}.log`),
    readyUrl: `http://127.0.0.1:${port}/readyz`,
  });
  return { port, pid: running.pid, stop: () => running.stop() };
}

/** A source file of this package as a program; resolves with the port that it prints in a line of JSON. */
export async function startSource(file: string, argv: readonly string[]): Promise<StartedProcess> {
  const hook = path.join(REPOSITORY_ROOT, 'jest.source-hook.cjs');
  const child = spawn(process.execPath, ['--require', hook, path.join(__dirname, file), ...argv], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const port = await new Promise<number>((resolve, reject) => {
    child.stdout.once('data', (chunk: Buffer) => {
      const said = JSON.parse(String(chunk)) as { port: number }; // what bare-gateway.ts prints
      resolve(said.port);
    });
    child.once('exit', (code) => reject(new Error(`${file} ended with ${code}`)));
  });
  const { pid } = child;
  if (pid === undefined) throw new Error(`${file} has no process`);
  return { port, pid, stop: async () => void (await endProcess(pid)) };
}
