import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { identityOf } from '../process/identity.js';
import { acquireLauncherLock, AlreadyRunningError } from './launcher-lock.js';

let folder: string;
let file: string;
let other: ChildProcess;

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'perdure-lock-'));
  file = path.join(folder, 'launcher.json');
  other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
});

afterEach(() => {
  other.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

function heldByOther(stopping: boolean): void {
  const pid = other.pid ?? 0;
  writeFileSync(file, JSON.stringify({ pid, identity: identityOf(pid), stopping }));
}

const holder = (): unknown => JSON.parse(readFileSync(file, 'utf8'));

it('O1: a second start on a folder that is served says by whom and how to stop it', async () => {
  heldByOther(false);
  const refusal = await acquireLauncherLock(file, folder).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(AlreadyRunningError);
  expect(String(refusal)).toContain(`kill ${other.pid}`);
  expect(holder()).toMatchObject({ pid: other.pid });
});

it('O1: takes over from a launcher that was killed', async () => {
  heldByOther(false);
  const ended = new Promise((resolve) => other.once('exit', resolve));
  other.kill('SIGKILL');
  await ended;
  await acquireLauncherLock(file, folder);
  expect(holder()).toMatchObject({ pid: process.pid, stopping: false });
});

it('O1: waits for a launcher that is stopping', async () => {
  heldByOther(true);
  const waiting = acquireLauncherLock(file, folder);
  other.kill('SIGTERM');
  await waiting;
  expect(holder()).toMatchObject({ pid: process.pid });
});

it('a lock that cannot be read is taken over, and a released one is gone', async () => {
  writeFileSync(file, '');
  const lock = await acquireLauncherLock(file, folder);
  lock.markStopping();
  expect(holder()).toMatchObject({ pid: process.pid, stopping: true });
  lock.release();
  expect(existsSync(file)).toBe(false);
});
