import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { removeExactly, withFileLock, type HeldLock, type LockOptions } from './file-lock.js';
import { LoopFileError } from './refusals.js';
import { childPrograms, type ChildPrograms } from './testing/child-programs.js';

let programs: ChildPrograms;
let folder: string;
let lock: string;

/** Above the greatest that Linux gives (proc(5), pid_max): the id of a process that ended may belong to another soon. */
const deadPid = 4_194_305;

beforeAll(async () => {
  programs = await childPrograms(['hold-lock']);
});
afterAll(() => programs.close());

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'perdure-lock-'));
  lock = path.join(folder, 'lock');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const LONG = 120_000;
const HERE = `${hostname()} ${pidNamespace()}`;

function pidNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

const owner = (identity: string, pid: number, place = HERE) => JSON.stringify({ identity, pid, place });
const take = (options: Partial<LockOptions> = {}, work: (held: HeldLock) => Promise<unknown> = async () => 'done') =>
  withFileLock(lock, { waitMs: LONG, ...options }, work);
const busy = async (call: Promise<unknown>): Promise<string> => {
  const error: unknown = await call.catch((thrown: unknown) => thrown);
  if (error instanceof LoopFileError) return error.code;
  throw new Error(`the lock was not busy: ${String(error)}`);
};

describe('the lock', () => {
  it('lets one in at a time, also within one process, and goes on after work that throws', async () => {
    let inside = 0;
    const work = async () => {
      inside += 1;
      expect(inside).toBe(1);
      await new Promise((resolve) => setImmediate(resolve));
      inside -= 1;
      throw new Error('the work failed');
    };
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => take({ staleAfterMs: LONG }, work)));
    expect(outcomes.every((outcome) => outcome.status === 'rejected')).toBe(true);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is busy after the wait when its holder lives', async () => {
    writeFileSync(lock, owner('0123456789abcdef', process.pid));
    expect(await busy(take({ waitMs: 50 }))).toBe('busy');
    expect(readdirSync(folder)).toEqual(['lock']);
  });

  it('is taken from a holder that is gone, without waiting', async () => {
    writeFileSync(lock, owner('0123456789abcdef', deadPid));
    expect(await take({ staleAfterMs: LONG })).toBe('done');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is not judged by a process id of another machine or container, only by age', async () => {
    writeFileSync(lock, owner('0123456789abcdef', deadPid, 'elsewhere pid:[1]'));
    expect(await busy(take({ waitMs: 50, staleAfterMs: LONG }))).toBe('busy');
    expect(await take({ staleAfterMs: 100 })).toBe('done');
  });

  it.each([
    ['empty', ''],
    ['of others', '{"pid": 1}'],
    ['of a process group', '{"identity":"0123456789abcdef","pid":-1,"place":""}'],
  ])('that is %s is left alone until it is old', async (_what, content) => {
    writeFileSync(lock, content);
    expect(await busy(take({ waitMs: 50, staleAfterMs: LONG }))).toBe('busy');
    expect(await take({ staleAfterMs: 100 })).toBe('done');
  });

  it('is taken over when whoever was about to remove it was killed as well, and so on', async () => {
    writeFileSync(lock, owner('aaaaaaaaaaaaaaaa', deadPid));
    writeFileSync(`${lock}.break-aaaaaaaaaaaaaaaa`, owner('bbbbbbbbbbbbbbbb', deadPid));
    writeFileSync(`${lock}.break-aaaaaaaaaaaaaaaa.break-bbbbbbbbbbbbbbbb`, owner('cccccccccccccccc', deadPid));
    expect(await take({ staleAfterMs: LONG })).toBe('done');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('of a dead holder stays while somebody who lives is about to remove it', async () => {
    writeFileSync(lock, owner('aaaaaaaaaaaaaaaa', deadPid));
    writeFileSync(`${lock}.break-aaaaaaaaaaaaaaaa`, owner('bbbbbbbbbbbbbbbb', process.pid));
    expect(await busy(take({ waitMs: 50, staleAfterMs: LONG }))).toBe('busy');
    expect(readdirSync(folder)).toHaveLength(2);
  });

  it('that was taken while a waiter still held the last one for dead is not removed with it', async () => {
    const file = `${lock}.candidate`;
    writeFileSync(file, owner('1111111111111111', process.pid));
    const waiter = { file, identity: '1111111111111111', place: HERE, staleAfterMs: LONG, now: Date.now };
    const fresh = owner('bbbbbbbbbbbbbbbb', process.pid);
    // In between: another has removed the dead one, and a third one holds a new lock.
    writeFileSync(lock, fresh);
    expect(await removeExactly(lock, 'aaaaaaaaaaaaaaaa', waiter)).toBe(true);
    expect(readFileSync(lock, 'utf8')).toBe(fresh);
    expect(readdirSync(folder)).toEqual(['lock', 'lock.candidate']);
  });

  it('of a dead holder is taken by 50 at once, one after the other, again and again', async () => {
    for (let round = 0; round < 10; round += 1) {
      writeFileSync(lock, owner(`${round}aaaaaaaaaaaaaaa`, deadPid));
      let inside = 0;
      let done = 0;
      const work = async () => {
        inside += 1;
        expect(inside).toBe(1);
        await new Promise((resolve) => setImmediate(resolve));
        inside -= 1;
        done += 1;
      };
      await Promise.all(Array.from({ length: 50 }, () => take({ staleAfterMs: LONG }, work)));
      expect(done).toBe(50);
    }
    expect(readdirSync(folder)).toEqual([]);
  });

  it('tells a holder that it has lost the lock, and what it left behind is swept away', async () => {
    const told = await take({}, async (held) => {
      writeFileSync(held.scratch, 'half a file');
      const before = await held.isHeld();
      await take({ staleAfterMs: 0 }, async () => undefined);
      return [before, await held.isHeld()];
    });
    expect(told).toEqual([true, false]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('sweeps away what killed processes left beside it, and nothing else', async () => {
    writeFileSync(`${lock}.dddddddddddddddd`, owner('dddddddddddddddd', deadPid));
    writeFileSync(`${lock}.eeeeeeeeeeeeeeee.new`, '{"run":');
    writeFileSync(`${lock}.break-ffffffffffffffff`, owner('1234567890abcdef', deadPid));
    writeFileSync(`${lock}.9999999999999999`, owner('9999999999999999', process.pid));
    writeFileSync(path.join(folder, 'goal.md'), 'of a person');
    await take();
    expect(readdirSync(folder).sort()).toEqual(['goal.md', 'lock.9999999999999999']);
  });
});
