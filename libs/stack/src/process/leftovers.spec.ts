import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { identityOf, isRunning } from './identity.js';
import { endLeftovers, forgetProcess, noteProcess } from './leftovers.js';

let folder: string;
let sleeper: ChildProcess;

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'perdure-leftovers-'));
  sleeper = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
});

afterEach(() => {
  sleeper.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

const pid = () => sleeper.pid ?? 0;

it('O1: ends what an earlier start left running, and forgets it', async () => {
  noteProcess(folder, 'api', pid());
  expect(await endLeftovers(folder)).toEqual(['api']);
  expect(isRunning(pid())).toBe(false);
  expect(readdirSync(folder)).toEqual([]);
});

it('O1: leaves a process alone that merely got the number of a dead one', async () => {
  writeFileSync(path.join(folder, 'api.json'), JSON.stringify({ name: 'api', pid: pid(), identity: 'boot:1' }));
  expect(await endLeftovers(folder)).toEqual([]);
  expect(isRunning(pid())).toBe(true);
});

it('passes over notes of processes that are gone, forgotten or unreadable', async () => {
  noteProcess(folder, 'api', pid());
  forgetProcess(folder, 'api');
  writeFileSync(path.join(folder, 'mcp-gateway.json'), '{"na');
  expect(await endLeftovers(folder)).toEqual([]);
  expect(isRunning(pid())).toBe(true);
});

it('tells two processes apart, and a process that is gone', async () => {
  expect(identityOf(pid())).not.toBe(identityOf(process.pid));
  expect(identityOf(process.pid)).toBe(identityOf(process.pid));
  const ended = new Promise((resolve) => sleeper.once('exit', resolve));
  sleeper.kill('SIGKILL');
  await ended;
  expect(identityOf(pid())).toBeNull();
});
