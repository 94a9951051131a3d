import { spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { freePort } from '../network/ports.js';
import { endProcess } from '../process/end-process.js';
import { isRunning } from '../process/identity.js';
import { waitUntil } from '../process/wait-until.js';
import { REPOSITORY_ROOT } from '../repository-root.js';
import type { StackFile } from './stack-file.js';

// The launcher from its source, the applications as built: whole starts, about 5 s each on an idle machine.
jest.setTimeout(240_000);

interface Launcher {
  child: ChildProcess;
  /** Everything it printed so far. */
  printed: () => string;
  exit: Promise<number | null>;
}

let folder: string;
let dataDir: string;
let portBase: number;
const launchers: Launcher[] = [];
const seen = new Set<number>();

beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'perdure-launch-'));
  chmodSync(folder, 0o711);
  dataDir = path.join(folder, 'data');
});

beforeEach(async () => {
  // Six ports follow each other; a free one is the best guess at a free range.
  portBase = await freePort();
});

afterEach(async () => {
  for (const { child, exit } of launchers.splice(0)) {
    child.kill('SIGTERM');
    await exit;
  }
});

afterAll(async () => {
  // Whatever a failed test left: a launcher that was killed has no hold on its processes.
  for (const pid of seen) await endProcess(pid);
  rmSync(folder, { recursive: true, force: true });
});

function launch(env: NodeJS.ProcessEnv = {}): Launcher {
  const hook = path.join(REPOSITORY_ROOT, 'jest.source-hook.cjs');
  const main = path.join(REPOSITORY_ROOT, 'libs', 'stack', 'src', 'main.ts');
  const program = `require(${JSON.stringify(main)})
    .serveStack({ ...${JSON.stringify({ dataDir, portBase })}, commandFor: (base) => 'start on ' + base })
    .then((code) => process.exit(code));`;
  const child = spawn(process.execPath, ['--conditions=@perdure/source', '--require', hook, '--eval', program], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (text += String(chunk)));
  const exit = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const launcher = { child, printed: () => text, exit };
  launchers.push(launcher);
  return launcher;
}

const stackFile = () => path.join(dataDir, 'stack.json');
/** The launcher's own format; what a test expects of it is compared below. */
const stack = () => JSON.parse(readFileSync(stackFile(), 'utf8')) as StackFile;

async function untilReady(launcher: Launcher): Promise<StackFile> {
  const serves = () => existsSync(stackFile()) && stack().ready && launcher.printed().includes('Perdure is ready');
  const settled = () => serves() || launcher.child.exitCode !== null;
  expect(await waitUntil(settled, { deadlineMs: 120_000, intervalMs: 100 })).toBe(true);
  if (!serves()) throw new Error(`The launcher ended:\n${launcher.printed()}`);
  for (const { pid } of stack().processes) seen.add(pid);
  return stack();
}

/** I4: the one-time link for the owner. */
const signInUrlOf = (launcher: Launcher) => /sign in +(\S+)/.exec(launcher.printed())?.[1];

const alive = ({ processes }: StackFile) => processes.filter(({ pid }) => isRunning(pid)).map(({ name }) => name);
const SERVICES = ['api', 'audit-writer', 'mcp-gateway', 'postgres', 'redis', 'usage-ingest'];

it('O1: starts everything, says how to connect, and Ctrl-C ends every process; the next start finds the data', async () => {
  const first = launch();
  const before = await untilReady(first);
  expect(statSync(stackFile()).mode & 0o777).toBe(0o600);
  expect(alive(before).sort()).toEqual(SERVICES);
  expect(Object.values(before).every((value) => value !== '' && value !== null)).toBe(true);
  expect(first.printed()).toContain(
    `claude mcp add --transport http perdure http://127.0.0.1:${portBase + 1}/mcp --header "Authorization: Bearer ${before.agent_token}"`,
  );
  expect(first.printed()).toMatch(/queue +Redis/);
  const signInUrl = signInUrlOf(first);
  expect(signInUrl).toMatch(new RegExp(`^${before.api_url}/sign-in\\?token=prd_link_`));
  expect(first.printed()).toContain(`${before.api_url}/v1/docs\n`);
  expect(first.printed()).toContain(stackFile());
  expect((await fetch(`${before.api_url}/healthz`)).status).toBe(200);

  const started = Date.now();
  first.child.kill('SIGINT');
  // Under npm the signal comes twice.
  first.child.kill('SIGINT');
  expect(await first.exit).toBe(0);
  expect(Date.now() - started).toBeLessThan(15_000);
  expect(alive(before)).toEqual([]);
  expect(stack()).toMatchObject({ ready: false, processes: [] });
  expect(first.printed()).toContain(`start again with: start on ${portBase}`);

  const second = launch();
  const after = await untilReady(second);
  expect(signInUrlOf(second)).not.toBe(signInUrl);
  expect({ ...after, processes: [] }).toEqual({ ...before, processes: [] });
});

it('O1, O5: after a kill -9 of the launcher the next start takes over; a killed application comes back', async () => {
  const first = launch();
  const before = await untilReady(first);
  first.child.kill('SIGKILL');
  await first.exit;
  expect(alive(before).sort()).toEqual(SERVICES);

  const second = launch();
  const after = await untilReady(second);
  expect(after).toMatchObject({ workspace_id: before.workspace_id, agent_token: before.agent_token });
  // The servers go on, with their connections' data; the applications are new.
  expect(alive(before).sort()).toEqual(['postgres', 'redis']);
  expect(alive(after).sort()).toEqual(SERVICES);

  const pidOf = (name: string) => stack().processes.find((process) => process.name === name)?.pid ?? 0;
  for (const name of ['audit-writer', 'redis', 'postgres']) {
    const pid = pidOf(name);
    process.kill(pid, 'SIGKILL');
    const isBack = () => pidOf(name) !== 0 && pidOf(name) !== pid && isRunning(pidOf(name));
    expect(await waitUntil(isBack, { deadlineMs: 60_000 })).toBe(true);
  }
  const api = await waitUntil(() => fetch(`${after.api_url}/readyz`).then((answer) => answer.ok), {
    deadlineMs: 30_000,
  });
  expect(api).toBe(true);
});

it('O1: without a redis-server on PATH the queue is Postgres, and the ready line says so', async () => {
  const launcher = launch({ PATH: '/nowhere' });
  const { queue_url, processes } = await untilReady(launcher);
  expect(queue_url).toMatch(/^postgres:\/\/perdure_queue:/);
  expect(processes.map(({ name }) => name)).not.toContain('redis');
  expect(launcher.printed()).toMatch(/queue +PostgreSQL/);
});

it('O1: a taken port is named with the remedy, and nothing is left running', async () => {
  const taken = net.createServer();
  await new Promise<void>((resolve) => taken.listen(portBase + 1, '127.0.0.1', resolve));
  const launcher = launch();
  expect(await launcher.exit).toBe(1);
  expect(launcher.printed()).toContain(`Port ${portBase + 1} (mcp-gateway) is in use`);
  expect(launcher.printed()).toContain(`for example: start on ${portBase + 100}\n`);
  expect(existsSync(path.join(dataDir, 'launcher.json'))).toBe(false);
  taken.close();
});
