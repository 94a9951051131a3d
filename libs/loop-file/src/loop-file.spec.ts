import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DomainError } from '@perdure/contracts';
import { loopLimits, openLoopFile, type LoopFile, type LoopSettings } from './index.js';

const X = 'a'.repeat(64);
const Y = 'b'.repeat(64);
/** Credentials of every known format, in parts. */
const SECRETS = path.join(__dirname, '../../../cases/secrets/positives.json');

let root: string;
let file: string;

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'perdure-loop-'));
  file = path.join(root, '.loop', 'state.json');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const open = (limits?: LoopSettings): LoopFile => openLoopFile(root, limits === undefined ? {} : { limits });
const count = (session_id: unknown, calls?: number) =>
  open().countCall(calls === undefined ? { session_id } : { session_id, calls });
// Each test compares the whole of it.
const stored = (): Record<string, unknown> => JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
const store = (content: unknown): void => {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
};
const refusal = async (call: Promise<unknown>): Promise<DomainError> => {
  const outcome: unknown = await call.catch((error: unknown) => error);
  if (outcome instanceof DomainError) return outcome;
  throw new Error(`no refusal: ${JSON.stringify(outcome)}`);
};

describe('the run half', () => {
  it('L5: the file has the shape that is written down, and no file beside it stays', async () => {
    await count('s1');
    expect(stored()).toEqual({
      run: { session_id: 's1', bash_calls: 1 },
      work: { failing_signature: null, diff_hash: null, unchanged: 0 },
    });
    expect(readdirSync(path.dirname(file))).toEqual(['state.json']);
  });

  it('L2: what would pass the cap is blocked, counts nothing and changes nothing; the default cap is 40', async () => {
    expect(await count('s1', 39)).toMatchObject({ allowed: true, bash_calls: 39, cap: 40 });
    expect(await count('s1', 2)).toMatchObject({ allowed: false, blocked_by: 'cap', bash_calls: 39, cap: 40 });
    expect(await count('s1')).toMatchObject({ allowed: true, blocked_by: null, bash_calls: 40 });
    const before = readFileSync(file, 'utf8');
    for (let again = 0; again < 3; again += 1) {
      expect(await count('s1')).toMatchObject({ allowed: false, bash_calls: 40, cap: 40 });
    }
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  it('L2: a cap that stands in the file is dropped: only the caller sets one', async () => {
    store({ run: { session_id: 's1', bash_calls: 40, cap: 1_000 }, cap: 1_000 });
    const call = await count('s1');
    expect(call).toMatchObject({ allowed: false, bash_calls: 40, cap: 40 });
    expect(call.warnings).toMatchObject([{ code: 'unknown_keys', message: expect.stringContaining('"cap"') }]);
    expect(await open({ cap: 41 }).countCall({ session_id: 's1' })).toMatchObject({ allowed: true, cap: 41 });
    expect(stored()).toMatchObject({ run: { session_id: 's1', bash_calls: 41 }, cap: 1_000 });
    expect(stored()['run']).not.toHaveProperty('cap');
  });

  it('L1: two live sessions do not reset each other, and a new one leaves the work as it is', async () => {
    await open().recordMeasurement({ failing_signature: 'a fails', diff_hash: X });
    await open().recordMeasurement({ failing_signature: 'a fails', diff_hash: X });
    await count('s1', 5);
    await count('s2');
    expect(stored()).toEqual({
      run: { session_id: 's2', bash_calls: 1 },
      work: { failing_signature: 'a fails', diff_hash: X, unchanged: 1 },
      parked_runs: [{ session_id: 's1', bash_calls: 5 }],
    });
    expect((await count('s1')).bash_calls).toBe(6);
    expect((await count('s2')).bash_calls).toBe(2);
    expect((await open().read()).work.unchanged).toBe(1);
  });

  it('L5: nine live sessions keep their counts; a tenth costs the one that called longest ago its own, with a warning', async () => {
    const sessions = Array.from({ length: 9 }, (_, index) => `s${index + 1}`);
    for (const session of sessions) await count(session, 3);
    for (const session of sessions) expect(await count(session)).toMatchObject({ bash_calls: 4, warnings: [] });
    expect((await open().read()).parked_runs).toHaveLength(8);
    const tenth = await count('s10');
    expect(tenth).toMatchObject({ bash_calls: 1, warnings: [{ code: 'run_forgotten' }] });
    expect((await open().read()).parked_runs.map((half) => half.session_id)).toEqual(sessions.slice(1).reverse());
    expect((await count('s2')).bash_calls).toBe(5);
  });

  it.each([[''], ['   '], ['\u200b'], [undefined], [null], [7], ['x'.repeat(501)], ['a\u0000b'], ['\ud800']])(
    'L2: the session id %j is refused, and nothing is written',
    async (sessionId) => {
      const { code, details } = await refusal(count(sessionId));
      expect([code, details]).toMatchObject(['invalid_input', { fields: [{ path: 'session_id' }] }]);
      await expect(open().read()).resolves.toMatchObject({ run: null });
    },
  );

  it.each([0, -1, 1.5, Infinity, NaN, null, '3', 'unlimited', 100_001, {}])(
    'L2: the cap %p is refused: no value means unlimited',
    async (cap) => {
      await count('s1');
      expect(await refusal(open({ cap }).countCall({ session_id: 's1' }))).toMatchObject({
        code: 'invalid_input',
        details: { fields: [{ path: 'cap' }] },
      });
      expect(() => loopLimits({ no_progress_limit: cap === 100_001 ? 1_001 : cap })).toThrow(DomainError);
      expect((await open().read()).run?.bash_calls).toBe(1);
    },
  );

  it.each([0, -1, 1.5, 10_001, Infinity])('L2: %p calls at once are refused', async (calls) => {
    expect((await refusal(count('s1', calls))).code).toBe('invalid_input');
  });
});

describe('the work half', () => {
  const measure = (failing_signature: string | null, diff_hash: string, limits?: LoopSettings) =>
    open(limits).recordMeasurement({ failing_signature, diff_hash });

  it('L3: the same pair counts as unchanged, another or a pass sets it to zero, and the limit gives the verdict', async () => {
    expect(await measure('a fails', X)).toMatchObject({ work: { unchanged: 0 }, no_progress: false });
    await measure('a fails', X);
    await measure('a fails', X);
    expect(await measure('a fails', X.toUpperCase())).toMatchObject({ work: { unchanged: 3 }, no_progress: true });
    expect(await measure('a fails', Y)).toMatchObject({ work: { unchanged: 0 }, no_progress: false });
    expect(await measure(null, Y)).toMatchObject({ work: { failing_signature: null, diff_hash: Y, unchanged: 0 } });
    expect(await measure(null, Y)).toMatchObject({ work: { unchanged: 0 }, no_progress: false });
    await measure('b fails', Y);
    expect((await measure('b fails', Y, { no_progress_limit: 1 })).no_progress).toBe(true);
    expect(stored()).not.toHaveProperty('no_progress');
  });

  it('L3: at the no-progress limit the guard blocks, under the cap too, and leaves the count', async () => {
    await count('s1', 3);
    for (let again = 0; again < 4; again += 1) await measure('a fails', X);
    expect(await count('s1')).toMatchObject({
      allowed: false,
      blocked_by: 'no_progress',
      bash_calls: 3,
      unchanged: 3,
      no_progress_limit: 3,
    });
    expect(await count('s2')).toMatchObject({ allowed: false, blocked_by: 'no_progress', bash_calls: 0 });
    expect(stored()['run']).toEqual({ session_id: 's1', bash_calls: 3 });
    await open().resetWork();
    expect(await count('s1')).toMatchObject({ allowed: true, bash_calls: 4 });
  });

  it('L5: a measurement leaves the runs alone, and the server’s half replaces ours', async () => {
    await count('s1', 3);
    await count('s2');
    await measure('a fails', X);
    const server = {
      failing_signature: 'b fails',
      diff_hash: Y,
      unchanged: 2,
      measured_at: '2026-11-30T00:00:00.000Z',
    };
    expect(await open().takeWork(server)).toMatchObject({ work: { unchanged: 2 }, no_progress: false });
    expect(stored()).toEqual({
      run: { session_id: 's2', bash_calls: 1 },
      work: { failing_signature: 'b fails', diff_hash: Y, unchanged: 2 },
      parked_runs: [{ session_id: 's1', bash_calls: 3 }],
    });
    expect(await measure('b fails', Y)).toMatchObject({ work: { unchanged: 3 }, no_progress: true });
  });

  it('L5: a fresh clone takes the half from the server before any session has called', async () => {
    await open().takeWork({ failing_signature: 'a fails', diff_hash: X, unchanged: 1 });
    expect(await open().read()).toMatchObject({ run: null, work: { unchanged: 1 }, warnings: [] });
    expect(await count('s1')).toMatchObject({ bash_calls: 1, unchanged: 1, warnings: [] });
  });

  it.each([
    ['two lines', { failing_signature: 'a\nb' }, 'failing_signature'],
    ['201 characters', { failing_signature: 'x'.repeat(201) }, 'failing_signature'],
    ['an empty text', { failing_signature: '' }, 'failing_signature'],
    ['U+0000', { failing_signature: 'a\u0000b' }, 'failing_signature'],
    ['no signature', { failing_signature: undefined }, 'failing_signature'],
    ['a diff', { diff_hash: 'diff --git a/x b/x' }, 'diff_hash'],
    ['65 digits', { diff_hash: 'a'.repeat(65) }, 'diff_hash'],
    ['no hash', { diff_hash: null }, 'diff_hash'],
    ['a conclusion', { verified: true }, 'verified'],
    ['another', { passed: true }, 'passed'],
  ])('L4: %s is refused by name, and nothing is written', async (_what, more, at) => {
    const given = { failing_signature: null, diff_hash: X, ...more } as { failing_signature: null; diff_hash: string }; // as a caller without types may
    expect(await refusal(open().recordMeasurement(given))).toMatchObject({
      code: 'invalid_input',
      details: { fields: [{ path: at }] },
    });
    await expect(open().read()).resolves.toMatchObject({ warnings: [{ code: 'missing' }] });
  });

  it('L4: a secret is refused in every text, and its value is in no message and in no file', async () => {
    const [first] = JSON.parse(readFileSync(SECRETS, 'utf8')) as { parts: string[] }[]; // as its README says
    const secret = (first?.parts ?? []).join('');
    const calls = [
      () => measure(`login fails with ${secret}`, X),
      () => open().takeWork({ failing_signature: secret, diff_hash: X, unchanged: 0 }),
      () => count(secret),
    ];
    for (const call of calls) {
      const refused = await refusal(call());
      expect(refused).toMatchObject({ code: 'secret_detected', details: { secret_kind: expect.any(String) } });
      expect(JSON.stringify([refused.message, refused.details])).not.toContain(secret.slice(-12));
    }
    await expect(open().read()).resolves.toMatchObject({ run: null, warnings: [{ code: 'missing' }] });
  });
});
