import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openLoopFile, type CountedCall, type LoopFileState } from './index.js';
import { childPrograms, type Child, type ChildPrograms } from './testing/child-programs.js';

// Real processes on a machine that may be busy with others.
jest.setTimeout(300_000);

let programs: ChildPrograms;
let root: string;

beforeAll(async () => {
  programs = await childPrograms(['count-calls', 'hold-lock']);
});
afterAll(() => programs.close());

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'perdure-loop-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const folder = () => path.join(root, '.loop');
const read = (): Promise<LoopFileState> => openLoopFile(root).read();

/** Twenty processes that all begin at once; their answers in no order. */
async function twenty(sessionOf: (index: number) => string, calls: number): Promise<CountedCall[]> {
  const children = Array.from({ length: 20 }, (_, index) =>
    programs.start('count-calls', [root, sessionOf(index), String(calls)]),
  );
  return answersOf(children);
}

async function answersOf(children: readonly Child[]): Promise<CountedCall[]> {
  for (const child of children) expect(await child.line()).toBe('ready');
  for (const child of children) child.send('go\n');
  const lines = await Promise.all(children.map((child) => child.rest()));
  return lines.flat().map((line) => JSON.parse(line) as CountedCall); // as the program prints it
}

describe('parallel hooks', () => {
  it('L5: 20 processes on one file: exactly cap calls are allowed, and the count is exact', async () => {
    const answers = await twenty(() => 's1', 3);
    expect(answers).toHaveLength(60);
    const allowed = answers.filter((answer) => answer.allowed).map((answer) => answer.bash_calls);
    expect(allowed.sort((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
    expect((await read()).run).toEqual({ session_id: 's1', bash_calls: 40 });
    expect(readdirSync(folder())).toEqual(['state.json']);
  });

  it('L5: 20 processes of nine sessions lose no count, and a reader never sees half a file', async () => {
    await openLoopFile(root).recordMeasurement({ failing_signature: 'a fails', diff_hash: 'a'.repeat(40) });
    const seen: LoopFileState[] = [];
    let counting = true;
    const reader = (async () => {
      while (counting) seen.push(await read());
    })();
    await twenty((index) => `s${index % 9}`, 3);
    counting = false;
    await reader;
    expect(seen.flatMap(({ warnings }) => warnings)).toEqual([]);
    const { run, parked_runs, work } = await read();
    const counts = Object.fromEntries(
      [run, ...parked_runs]
        .map((half) => [half?.session_id, half?.bash_calls])
        .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
    );
    // 20 processes over 9 sessions: two sessions have three of them, seven have two.
    expect(counts).toEqual({ s0: 9, s1: 9, s2: 6, s3: 6, s4: 6, s5: 6, s6: 6, s7: 6, s8: 6 });
    expect(work.failing_signature).toBe('a fails');
  });

  it('L5: kill -9 of the holder of the lock holds nobody up and costs no count', async () => {
    mkdirSync(folder());
    for (let round = 1; round <= 3; round += 1) {
      const holder = programs.start('hold-lock', [path.join(folder(), 'state.json.lock')]);
      expect(await holder.line()).toBe('held');
      const children = Array.from({ length: 4 }, () => programs.start('count-calls', [root, 's1', '3']));
      for (const child of children) expect(await child.line()).toBe('ready');
      for (const child of children) child.send('go\n');
      await holder.kill();
      await Promise.all(children.map((child) => child.rest()));
      expect((await read()).run).toEqual({ session_id: 's1', bash_calls: round * 12 });
    }
    expect(readdirSync(folder())).toEqual(['state.json']);
  });

  it('L5: processes killed at any moment leave a whole file, no lock in the way and nothing beside it', async () => {
    const children = Array.from({ length: 12 }, () => programs.start('count-calls', [root, 's1', '100000', '100000']));
    for (const child of children) expect(await child.line()).toBe('ready');
    for (const child of children) child.send('go\n');
    const counted: number[] = [];
    for (const child of children) {
      // The others go on while one is killed.
      counted.push((JSON.parse(await child.line()) as CountedCall).bash_calls); // as the program prints it
      await child.kill();
    }
    const { run, warnings } = await read();
    expect(warnings).toEqual([]);
    expect(run?.bash_calls).toBeGreaterThanOrEqual(Math.max(...counted));
    expect(new Set(counted).size).toBe(12);
    const next = await openLoopFile(root, { limits: { cap: 100_000 } }).countCall({ session_id: 's1' });
    expect(next).toMatchObject({ bash_calls: (run?.bash_calls ?? 0) + 1, warnings: [] });
    expect(readdirSync(folder())).toEqual(['state.json']);
  });
});

describe('a folder that may not be written', () => {
  it('L5: counting fails in one line, and the file stays as it is', async () => {
    const file = path.join(folder(), 'state.json');
    mkdirSync(folder());
    writeFileSync(file, JSON.stringify({ run: { session_id: 's1', bash_calls: 7 } }));
    const before = readFileSync(file, 'utf8');
    chmodSync(root, 0o755);
    chmodSync(folder(), 0o555);
    // Root may write everywhere: then the program runs as nobody.
    const asNobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
    const child = programs.start('count-calls', [root, 's1', '1'], asNobody);
    await child.line();
    child.send('go\n');
    await expect(child.rest()).rejects.toThrow(
      /ended with 1: LoopFileError: The loop state cannot be used: .*EACCES[^\n]*\n$/,
    );
    expect(readFileSync(file, 'utf8')).toBe(before);
    chmodSync(folder(), 0o755);
  });
});
