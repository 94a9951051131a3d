import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { LoopFileError, openLoopFile } from './index.js';

const X = 'a'.repeat(64);
const WORK = { failing_signature: 'a fails', diff_hash: X, unchanged: 2 };
const RUN = { session_id: 's1', bash_calls: 7 };

let root: string;
let file: string;

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'perdure-loop-'));
  file = path.join(root, '.loop', 'state.json');
  mkdirSync(path.dirname(file));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const store = (content: unknown): void =>
  writeFileSync(file, typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content));
// Each test compares the whole of it.
const stored = (): Record<string, unknown> => JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
const loop = () => openLoopFile(root);
const count = (session_id = 's1') => loop().countCall({ session_id });
const failure = async (call: Promise<unknown>): Promise<LoopFileError> => {
  const outcome: unknown = await call.catch((error: unknown) => error);
  if (outcome instanceof LoopFileError) return outcome;
  throw new Error(`it did not fail as it should: ${String(outcome)}`);
};

describe('a file that cannot be used', () => {
  it('L5: torn at every byte offset, it is a fresh start with one warning', async () => {
    store({
      run: RUN,
      work: { ...WORK, failing_signature: 'fällt um 😀' },
      parked_runs: [{ ...RUN, session_id: 's2' }],
    });
    const whole = readFileSync(file);
    for (let offset = 0; offset < whole.length; offset += 1) {
      store(whole.subarray(0, offset));
      expect(await loop().read()).toMatchObject({ run: null, work: { unchanged: 0 }, warnings: [{ code: 'torn' }] });
    }
    store(whole.subarray(0, 40));
    expect(await count()).toMatchObject({ allowed: true, bash_calls: 1, warnings: [{ code: 'torn' }] });
    expect(await count()).toMatchObject({ allowed: true, bash_calls: 2, warnings: [] });
  });

  it.each([
    ['missing', () => rmSync(file, { force: true }), 'missing'],
    ['in a folder that is missing', () => rmSync(path.dirname(file), { recursive: true }), 'missing'],
    ['empty', () => store(''), 'torn'],
    ['bytes', () => store(Buffer.from([0xff, 0xfe, 0x00, 0x80])), 'torn'],
    ['UTF-16', () => store(Buffer.from('\ufeff{}', 'utf16le')), 'torn'],
    ['null', () => store('null'), 'foreign'],
    ['a list', () => store('[{"run": 1}]'), 'foreign'],
    ['two objects', () => store('{}{}'), 'torn'],
    ['too large', () => store(`{"a": "${'x'.repeat(1024 * 1024)}"}`), 'too_large'],
    ['a pipe that nobody writes to', () => execFileSync('mkfifo', [file]), 'not_a_file'],
    ['a link into nothing', () => symlinkSync(path.join(root, 'nowhere'), file), 'not_a_file'],
  ])('L5: %s, it is a fresh start with a warning of one line', async (_what, make, code) => {
    make();
    const call = await count();
    expect(call).toMatchObject({ allowed: true, bash_calls: 1, warnings: [{ code }] });
    expect(call.warnings.map(({ message }) => message)).toEqual([expect.stringMatching(/^\.loop\/state\.json: .+$/)]);
    expect(stored()).toMatchObject({ run: { session_id: 's1', bash_calls: 1 } });
  });

  it('L5: a link is neither read nor written through, but replaced', async () => {
    const target = path.join(root, 'elsewhere.json');
    writeFileSync(target, JSON.stringify({ run: { session_id: 's1', bash_calls: 30 } }));
    symlinkSync(target, file);
    expect(await count()).toMatchObject({ bash_calls: 1, warnings: [{ code: 'not_a_file' }] });
    expect(lstatSync(file).isFile()).toBe(true);
    expect(readFileSync(target, 'utf8')).toContain('"bash_calls":30');
  });

  it.each([
    [
      'its folder is a link',
      () => {
        const elsewhere = path.join(root, 'elsewhere');
        mkdirSync(elsewhere);
        rmSync(path.dirname(file), { recursive: true });
        symlinkSync(elsewhere, path.dirname(file));
      },
    ],
    [
      'its folder is a file',
      () => {
        rmSync(path.dirname(file), { recursive: true });
        writeFileSync(path.dirname(file), '');
      },
    ],
    ['it is a folder', () => mkdirSync(path.join(file, 'full'), { recursive: true })],
    ['the checkout is gone', () => rmSync(root, { recursive: true })],
    ['its lock is a folder', () => mkdirSync(`${file}.lock`)],
    ['its lock is a link', () => symlinkSync('/dev/zero', `${file}.lock`)],
  ])('L5: when %s, writing fails with a message of one line', async (_what, make) => {
    make();
    const { code, message } = await failure(openLoopFile(root, { waitMs: 0 }).countCall({ session_id: 's1' }));
    expect([code, message]).toEqual(['unusable', expect.stringMatching(/^.+$/)]);
    expect(existsSync(path.join(root, 'elsewhere', 'state.json'))).toBe(false);
  });
});

describe('a file that others write too', () => {
  it('L5: foreign keys at the top are kept with their values, in every kind of call', async () => {
    const foreign = { goal: { text: 'make it pass', steps: [1, 2.5, null, { deep: [true] }] }, '0': 'a', __v: 'x' };
    store(`{"__proto__": {"polluted": true}, "run": ${JSON.stringify(RUN)}, ${JSON.stringify(foreign).slice(1)}`);
    await count('s2');
    await loop().recordMeasurement({ failing_signature: 'a fails', diff_hash: X });
    await loop().resetWork();
    const after = stored();
    expect(after).toMatchObject(foreign);
    expect(Object.getOwnPropertyDescriptor(after, '__proto__')?.value).toEqual({ polluted: true });
    expect(after).toMatchObject({ run: { session_id: 's2' }, parked_runs: [RUN] });
  });

  it('L5: unknown keys inside a half are reported by name and dropped', async () => {
    store({
      run: { ...RUN, verified: true },
      work: { ...WORK, passed: true, done: 'yes' },
      parked_runs: [{ session_id: 's2', bash_calls: 1, cap: 1_000 }],
    });
    const { warnings, bash_calls, unchanged } = await count();
    expect([bash_calls, unchanged]).toEqual([8, 2]);
    expect(warnings.map(({ code }) => code)).toEqual(['unknown_keys', 'unknown_keys', 'unknown_keys']);
    expect(warnings.map(({ message }) => message).join()).toMatch(/"verified".*"passed", "done".*"cap"/);
    expect(stored()).toEqual({
      run: { session_id: 's1', bash_calls: 8 },
      work: WORK,
      parked_runs: [{ session_id: 's2', bash_calls: 1 }],
    });
  });

  it.each([
    ['a text as count', { run: { ...RUN, bash_calls: '7' }, work: WORK }],
    ['a negative count', { run: { ...RUN, bash_calls: -1_000 }, work: WORK }],
    ['half a call', { run: { ...RUN, bash_calls: 0.5 }, work: WORK }],
    ['no count', { run: { session_id: 's1' }, work: WORK }],
    ['an empty id', { run: { ...RUN, session_id: '' }, work: WORK }],
    ['a number as run', { run: 7, work: WORK }],
  ])('L5: a run half with %s starts fresh, and the work half stays', async (_what, content) => {
    store(content);
    const call = await count();
    expect(call).toMatchObject({ allowed: true, bash_calls: 1, unchanged: 2, warnings: [{ code: 'foreign' }] });
  });

  it.each([
    ['an output for a signature', { ...WORK, failing_signature: 'x'.repeat(10_000) }],
    ['two lines', { ...WORK, failing_signature: 'a\nb' }],
    ['a diff for its hash', { ...WORK, diff_hash: 'diff --git a/x b/x' }],
    ['no count', { failing_signature: null, diff_hash: null }],
    ['a list for a half', [1]],
  ])('L4: a work half with %s starts fresh, and the run half stays', async (_what, work) => {
    store({ run: RUN, work });
    expect(await count()).toMatchObject({ bash_calls: 8, unchanged: 0, warnings: [{ code: 'foreign' }] });
    expect(stored()['work']).toEqual({ failing_signature: null, diff_hash: null, unchanged: 0 });
  });

  it('L5: parked runs that cannot be used, stand twice or are too many are left out', async () => {
    const many = Array.from({ length: 50 }, (_, index) => ({ session_id: `p${index}`, bash_calls: index }));
    store({ run: RUN, parked_runs: [7, RUN, { session_id: 'p0', bash_calls: 5 }, ...many] });
    const { parked_runs, warnings } = await loop().read();
    expect(parked_runs).toEqual([{ session_id: 'p0', bash_calls: 5 }, ...many.slice(1, 5)]);
    expect(warnings).toMatchObject([{ code: 'foreign' }]);
    store({ run: RUN, parked_runs: { s2: 1 } });
    expect(await count('s2')).toMatchObject({ bash_calls: 1, warnings: [{ code: 'foreign' }] });
  });

  it('L5: a byte order mark and CRLF are read', async () => {
    store(`\ufeff${JSON.stringify({ run: RUN, work: WORK }, null, 2).replaceAll('\n', '\r\n')}\r\n`);
    expect(await count()).toMatchObject({ bash_calls: 8, unchanged: 2, warnings: [] });
    expect(readFileSync(file, 'utf8')).toMatch(/^\{\n/);
  });

  it('L5: names from the file reach a terminal neither whole nor with what steers it', async () => {
    const hostile = '\u001b[2J\u202e\u2028"\n';
    store({
      run: {
        ...RUN,
        [`${hostile}${'x'.repeat(500)}`]: 1,
        ...Object.fromEntries([...'abcdefgh'].map((key) => [key, 1])),
      },
    });
    const [warning] = (await count()).warnings;
    expect(warning?.message).toMatch(/^[\x20-\x7e…]{1,300} and 4 more: dropped$/);
  });

  it('L5: what is nested too deep to be printed again is dropped with a warning', async () => {
    store(`{"run": ${JSON.stringify(RUN)}, "x": ${'['.repeat(200_000)}${']'.repeat(200_000)}}`);
    expect(await count()).toMatchObject({ bash_calls: 8, warnings: [{ code: 'foreign' }] });
    expect(await count()).toMatchObject({ bash_calls: 9, warnings: [] });
  });
});
