import { randomBytes } from 'node:crypto';
import { link, readdir, readlink, stat, unlink, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { errnoOf, LoopFileError, nullWhen } from './refusals.js';
import { openForReading, remove } from './safe-open.js';

/**
 * A lock is held for one read and one synced write of a small file: what is this old has lost its holder, whoever that was.
 * A busy disk may take seconds for a sync.
 */
const STALE_AFTER_MS = 30_000;

/** A file that its owner, if it lives, would long have removed. */
const ABANDONED_AFTER_MS = 3_600_000;

const SCRATCH = '.new';

export interface LockOptions {
  /** Longest wait, in milliseconds; then `busy`. */
  readonly waitMs: number;
  readonly staleAfterMs?: number;
}

export interface HeldLock {
  /** A name for a file that nobody else uses; left behind by a crash, a later holder sweeps it away. */
  readonly scratch: string;
  /** False when somebody took this lock for abandoned, which takes a holder that stood still for seconds. */
  readonly isHeld: () => Promise<boolean>;
}

/** Who asks for the lock. The same file, under a second name, is the lock itself. */
interface Candidate {
  readonly file: string;
  readonly identity: string;
  readonly place: string;
  readonly staleAfterMs: number;
  /** Now, by the clock that stamps the files. */
  readonly now: () => number;
}

/**
 * Does the work while no other process does any under the same lock.
 *
 * The lock is a hard link to a file that names its owner: made in one step, so that no half-written lock is ever seen. A
 * killed holder is recognised by its process id where that can be judged (same host, same process namespace), else by age.
 * Two waiters cannot both remove it and thereby remove a fresh one: see `removeExactly`.
 *
 * @throws LoopFileError `busy`; errors of the file system as they are; what the work throws
 */
export async function withFileLock<Answer>(
  lock: string,
  { waitMs, staleAfterMs = STALE_AFTER_MS }: LockOptions,
  work: (held: HeldLock) => Promise<Answer>,
): Promise<Answer> {
  const candidate = await makeCandidate(lock, staleAfterMs);
  try {
    await acquire(lock, candidate, waitMs);
  } finally {
    await remove(candidate.file);
  }
  const isHeld = async () => (await readLock(lock))?.identity === candidate.identity;
  try {
    await sweep(lock, candidate);
    return await work({ scratch: `${candidate.file}${SCRATCH}`, isHeld });
  } finally {
    // A lock that cannot be taken away is stale as soon as this process has ended.
    await release(lock, isHeld).catch(() => undefined);
  }
}

async function makeCandidate(lock: string, staleAfterMs: number): Promise<Candidate> {
  const identity = randomBytes(8).toString('hex');
  const file = `${lock}.${identity}`;
  const place = await whereWeRun();
  await writeFile(file, JSON.stringify({ identity, pid: process.pid, place }), { flag: 'wx' });
  // The change time, which a link renews, and not the local clock: the folder may be shared between machines.
  const { ctimeMs } = await stat(file);
  const started = performance.now();
  return { file, identity, place, staleAfterMs, now: () => ctimeMs + performance.now() - started };
}

async function acquire(lock: string, candidate: Candidate, waitMs: number): Promise<void> {
  const started = performance.now();
  while (!(await linkTo(lock, candidate))) {
    const isFree = await removeDead(lock, candidate);
    const waited = performance.now() - started;
    if (waited >= waitMs) {
      throw new LoopFileError('busy', `Other processes held ${lock} for ${Math.round(waited)} ms.`);
    }
    // Of different length for each, so that twenty hooks do not come back at the same moment.
    if (!isFree) await pause(1 + Math.random() * 15);
  }
}

const linkTo = async (name: string, candidate: Candidate): Promise<boolean> =>
  (await nullWhen(
    ['EEXIST'],
    link(candidate.file, name).then(() => true),
  )) ?? false;

/** Removes the lock when its holder is gone; true when it is worth trying to take it again. */
async function removeDead(lock: string, candidate: Candidate): Promise<boolean> {
  const found = await readLock(lock);
  if (found === null) return true;
  return isDead(found, candidate) && removeExactly(lock, found.identity, candidate);
}

/**
 * Removes the lock of an owner that was seen to be dead, and no other. Between seeing it and removing it, another may have
 * removed it and a third one taken a new lock: that one must stay. So only the holder of the right to remove THIS lock
 * does it, and only while it still stands. The right bears the identity of the dead owner, which never comes again, and is
 * a lock of the same kind: if its own holder is killed, the right to remove the right is the next one.
 */
export async function removeExactly(lock: string, identity: string, candidate: Candidate): Promise<boolean> {
  const right = `${lock}.break-${identity}`;
  if (!(await linkTo(right, candidate))) return removeDead(right, candidate);
  try {
    if ((await readLock(lock))?.identity === identity) await unlink(lock);
  } finally {
    await remove(right);
  }
  return true;
}

interface FoundLock {
  readonly identity: string;
  readonly pid: number | null;
  readonly place: string | null;
  readonly changedAtMs: number;
}

async function readLock(lock: string): Promise<FoundLock | null> {
  const handle = await nullWhen(['ENOENT'], openForReading(lock));
  if (handle === null) return null;
  try {
    const { ctimeMs, ino, size } = await handle.stat();
    // Ours are some hundred bytes; of anything else the first ones do.
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(1024), 0, 1024, 0);
    const owner = ownerOf(buffer.toString('utf8', 0, bytesRead));
    return owner === null
      ? { identity: `${ino}-${ctimeMs}-${size}`, pid: null, place: null, changedAtMs: ctimeMs }
      : { ...owner, changedAtMs: ctimeMs };
  } finally {
    await handle.close();
  }
}

/** Null for a file that none of us wrote. */
function ownerOf(text: string): Omit<FoundLock, 'changedAtMs'> | null {
  const fields = /^\{"identity":"([0-9a-f]{16})","pid":(\d{1,10}),"place":("[^\n]*")\}$/.exec(text);
  if (fields === null) return null;
  const [, identity = '', pid, place = '""'] = fields;
  return { identity, pid: Number(pid), place: String(JSON.parse(place)) };
}

function isDead({ pid, place, changedAtMs }: FoundLock, candidate: Candidate): boolean {
  if (candidate.now() - changedAtMs > candidate.staleAfterMs) return true;
  return pid !== null && place === candidate.place && !isRunning(pid);
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Any other answer, such as EPERM, comes from a process that exists.
    return errnoOf(error) !== 'ESRCH';
  }
}

/** Process ids mean the same in two processes only on one host and in one namespace: containers share hosts, and names. */
async function whereWeRun(): Promise<string> {
  const namespace = await readlink('/proc/self/ns/pid').catch(() => '');
  return `${hostname()} ${namespace}`;
}

/**
 * Removes what killed processes left beside the lock. The holder may: another's scratch file is of no use any more, and a
 * right to remove an earlier lock neither. What concerns its own lock it leaves alone.
 */
async function sweep(lock: string, candidate: Candidate): Promise<void> {
  const folder = path.dirname(lock);
  const prefix = `${path.basename(lock)}.`;
  const left = (await readdir(folder)).filter((name) => name.startsWith(prefix) && !name.includes(candidate.identity));
  for (const name of left) {
    const file = path.join(folder, name);
    if (name.endsWith(SCRATCH) || (await isAbandoned(file, candidate))) await remove(file);
  }
}

/** A living process waits under its name for longer than any lock is held, so age alone says little here. */
async function isAbandoned(file: string, candidate: Candidate): Promise<boolean> {
  const found = await readLock(file);
  return found !== null && isDead(found, { ...candidate, staleAfterMs: ABANDONED_AFTER_MS });
}

async function release(lock: string, isHeld: () => Promise<boolean>): Promise<void> {
  if (await isHeld()) await unlink(lock);
}
