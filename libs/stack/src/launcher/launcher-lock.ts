import { openSync, closeSync, rmSync, writeSync } from 'node:fs';
import { errorCode } from '../error-code.js';
import { endProcess } from '../process/end-process.js';
import { identityOf } from '../process/identity.js';
import { waitUntil } from '../process/wait-until.js';
import { isRecord, readJson, writePrivateJson } from '../private-file.js';

interface Owner {
  pid: number;
  identity: string | null;
  /** Set from the beginning of a stop: a new start then waits instead of refusing. */
  stopping: boolean;
}

export interface LauncherLock {
  markStopping(): void;
  release(): void;
}

/** A stop takes up to 10 s; a launcher whose npm was killed notices within a second. */
const STOP_MS = 15_000;

/** Another launcher serves this data folder. The message says what to do. */
export class AlreadyRunningError extends Error {
  constructor(pid: number, dataDir: string) {
    super(
      `A stack already runs on ${dataDir} (pid ${pid}). Stop it with Ctrl-C in its terminal or \`kill ${pid}\`, ` +
        'or start another one beside it with --data DIR --port-base N.',
    );
    this.name = 'AlreadyRunningError';
  }
}

/**
 * Makes this process the only launcher of the data folder. A lock whose owner is gone (kill -9) is taken over, one whose
 * owner is stopping is waited for. Throws AlreadyRunningError while the owner serves.
 */
export async function acquireLauncherLock(file: string, dataDir: string): Promise<LauncherLock> {
  while (!tryCreate(file)) {
    const owner = readOwner(file);
    if (owner && isAlive(owner)) await outlast(file, owner, dataDir);
    else rmSync(file, { force: true });
  }
  return {
    markStopping: () => writePrivateJson(file, { ...ourselves(), stopping: true }),
    release: () => rmSync(file, { force: true }),
  };
}

async function outlast(file: string, owner: Owner, dataDir: string): Promise<void> {
  // Asked again: it may have begun to stop, or have been orphaned, just before.
  const stopping = () => readOwner(file)?.stopping === true || !isAlive(owner);
  if (!(await waitUntil(stopping, { deadlineMs: 2000, intervalMs: 100 })))
    throw new AlreadyRunningError(owner.pid, dataDir);
  if (await waitUntil(() => !isAlive(owner), { deadlineMs: STOP_MS, intervalMs: 100 })) return;
  await endProcess(owner.pid);
}

function tryCreate(file: string): boolean {
  try {
    const descriptor = openSync(file, 'wx', 0o600);
    writeSync(descriptor, JSON.stringify({ ...ourselves(), stopping: false }));
    closeSync(descriptor);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

function ourselves(): Omit<Owner, 'stopping'> {
  return { pid: process.pid, identity: identityOf(process.pid) };
}

function readOwner(file: string): Owner | null {
  const content = readJson(file);
  if (!isRecord(content) || typeof content.pid !== 'number') return null;
  const identity = typeof content.identity === 'string' ? content.identity : null;
  return { pid: content.pid, identity, stopping: content.stopping === true };
}

function isAlive(owner: Owner): boolean {
  return owner.identity !== null && identityOf(owner.pid) === owner.identity;
}
