import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { freePort } from '../network/ports.js';
import { isRunning } from './identity.js';
import { startApplication } from './start-application.js';
import { supervise, type Supervised, type Supervision } from './supervise.js';
import { waitUntil } from './wait-until.js';

/** Serves /readyz; dies before that while the file `sick` lies beside it. Ignores SIGTERM when told so. */
const TOY = `
const http = require('node:http');
const fs = require('node:fs');
if (fs.existsSync(__dirname + '/sick')) { console.log('toy is sick'); process.exit(3); }
if (process.env.STUBBORN) process.on('SIGTERM', () => {});
http.createServer((q, a) => { a.statusCode = q.url === '/readyz' ? 200 : 404; a.end(); }).listen(Number(process.env.PORT), '127.0.0.1');
console.log('toy says hello');
`;

let folder: string;
let port: number;
const supervised: Supervised[] = [];
/** Every process, and those that came to serve under supervision. */
const spawned: number[] = [];
const pids: number[] = [];
const events: string[] = [];
const surrenders: Error[] = [];

beforeEach(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'perdure-supervise-'));
  writeFileSync(path.join(folder, 'toy.js'), TOY);
  port = await freePort();
  for (const list of [spawned, pids, events, surrenders]) list.length = 0;
});

afterEach(async () => {
  for (const service of supervised.splice(0)) await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

const logFile = () => path.join(folder, 'logs', 'toy.log');

function startToy(env: NodeJS.ProcessEnv = {}, signal?: AbortSignal) {
  return startApplication({
    name: 'toy',
    script: path.join(folder, 'toy.js'),
    env: { ...process.env, PORT: String(port), ...env },
    logFile: logFile(),
    readyUrl: `http://127.0.0.1:${port}/readyz`,
    onSpawned: (pid) => spawned.push(pid),
    ...(signal ? { signal } : {}),
  });
}

async function superviseToy(options: Partial<Supervision> = {}): Promise<Supervised> {
  const service = await supervise({
    name: 'toy',
    start: (signal) => startToy({}, signal),
    onStarted: (pid) => pids.push(pid),
    onEvent: (line) => events.push(line),
    onGivenUp: (reason) => surrenders.push(reason),
    firstDelayMs: 20,
    ...options,
  });
  supervised.push(service);
  return service;
}

const kill = (pid: number | undefined) => process.kill(pid ?? 0, 'SIGKILL');
const soon = (condition: () => boolean) => waitUntil(condition, { deadlineMs: 20_000 });

it('O5: a process that was killed is started again and serves', async () => {
  await superviseToy();
  kill(pids[0]);
  expect(await soon(() => pids.length === 2)).toBe(true);
  expect(pids[1]).not.toBe(pids[0]);
  expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
  expect(events).toEqual(['toy ended unexpectedly; starting it again in 0.02 s', `toy runs again (pid ${pids[1]})`]);
});

it('waits twice as long after each quick death, and after the fifth gives up with the last log lines', async () => {
  await superviseToy();
  writeFileSync(path.join(folder, 'sick'), '');
  kill(pids[0]);
  expect(await soon(() => surrenders.length === 1)).toBe(true);
  expect(events.map((line) => /in ([\d.]+) s/.exec(line)?.[1])).toEqual(['0.02', '0.04', '0.08', '0.16']);
  expect(surrenders[0]?.message).toContain('toy died 5 times in a row');
  expect(surrenders[0]?.message).toContain('toy is sick');
});

it('a process that lived long enough starts the count anew', async () => {
  await superviseToy({ quickDeathMs: 0 });
  for (let death = 1; death <= 6; death += 1) {
    kill(pids[death - 1]);
    expect(await soon(() => pids.length === death + 1)).toBe(true);
  }
  expect(surrenders).toEqual([]);
});

it('stop ends it for good, also while it waits to start it again', async () => {
  const service = await superviseToy({ firstDelayMs: 60_000, maxDelayMs: 60_000 });
  kill(pids[0]);
  expect(await soon(() => events.length === 1)).toBe(true);
  await service.stop();
  expect(pids).toHaveLength(1);
  expect(isRunning(pids[0] ?? 0)).toBe(false);
});

it('a program with nothing else to do stays until what it stops has ended', async () => {
  const program = path.join(folder, 'program.js');
  // Its toy is gone before it has heard of it: nothing but the stop itself keeps the program alive.
  const contents = `
    import { isRunning } from './identity.js';
    import { startApplication } from './start-application.js';
    import { supervise } from './supervise.js';
    const start = () => startApplication(${JSON.stringify({
      name: 'toy',
      script: path.join(folder, 'toy.js'),
      env: { PORT: String(port) },
      logFile: logFile(),
      readyUrl: `http://127.0.0.1:${port}/readyz`,
    })});
    const ignore = () => undefined;
    let pid = 0;
    supervise({ name: 'toy', start, onStarted: (of) => (pid = of), onEvent: ignore, onGivenUp: ignore }).then(async (toy) => {
      process.kill(pid, 'SIGKILL');
      while (isRunning(pid));
      await toy.stop();
      process.stdout.write('stopped');
    });`;
  await build({
    stdin: { contents, resolveDir: __dirname, loader: 'ts' },
    outfile: program,
    bundle: true,
    platform: 'node',
    conditions: ['@perdure/source'],
  });
  expect(await promisify(execFile)(process.execPath, [program])).toEqual({ stdout: 'stopped', stderr: '' });
});

it('a stop does not count as a death', async () => {
  const service = await superviseToy();
  await service.stop();
  expect(events).toEqual([]);
  expect(isRunning(pids[0] ?? 0)).toBe(false);
});

it('the first start fails with the log when the process dies before it serves', async () => {
  writeFileSync(path.join(folder, 'sick'), '');
  await expect(superviseToy()).rejects.toThrow(/toy stopped before it was ready.*toy is sick/s);
});

it('a process that ignores SIGTERM is killed after its deadline', async () => {
  const running = await startToy({ STUBBORN: '1' });
  await running.stop();
  expect(isRunning(running.pid)).toBe(false);
});

it('an ended wait for readiness leaves no process behind', async () => {
  const ending = new AbortController();
  ending.abort();
  await expect(startToy({}, ending.signal)).rejects.toThrow('was stopped while it started');
  expect(spawned).toHaveLength(1);
  expect(isRunning(spawned[0] ?? 0)).toBe(false);
});

it('says how to build an application that is not built', async () => {
  rmSync(path.join(folder, 'toy.js'));
  await expect(startToy()).rejects.toThrow('Run: npm run build');
});

it('a log beyond 10 MB starts over, a smaller one is kept', async () => {
  await startToy().then((running) => running.stop());
  await startToy().then((running) => running.stop());
  expect(readFileSync(logFile(), 'utf8')).toBe('toy says hello\n'.repeat(2));
  writeFileSync(logFile(), 'x'.repeat(10 * 1024 * 1024 + 1));
  await startToy().then((running) => running.stop());
  expect(readFileSync(logFile(), 'utf8')).toBe('toy says hello\n');
});
