import { readFileSync } from 'node:fs';
import path from 'node:path';
import { failingSignature } from './failing-signature.js';

const CASES = path.join(__dirname, '..', '..', '..', 'cases', 'signatures');

interface Pair {
  readonly id: string;
  readonly a: string;
  readonly b: string;
  readonly same: boolean;
  readonly failing_test: Record<'a' | 'b', readonly { file: string; name: string[] }[] | null>;
  readonly exit?: Record<'a' | 'b', number>;
}

const read = (file: string) => readFileSync(path.join(CASES, file), 'utf8');
const pairs = JSON.parse(read('expected.json')) as Pair[]; // as its README says

describe('the pairs of cases/signatures', () => {
  it.each(pairs.map((pair): [string, Pair] => [pair.id, pair]))('L3: %s', (_id, pair) => {
    const results = (['a', 'b'] as const).map((side) => {
      const known = failingSignature(read(pair[side]), { status: pair.exit?.[side] ?? 1 });
      // A saved output without its status says the same.
      expect(failingSignature(read(pair[side]))).toEqual(known);
      const named = known.failingTests.map(({ file, names }) => ({ file, name: names }));
      expect(known.signature === null ? null : named).toEqual(pair.failing_test[side]);
      return known.signature;
    });
    expect(results[0] === results[1]).toBe(pair.same);
    for (const signature of results) {
      expect(signature === null).toBe(pair.exit?.a === 0);
      expect(signature ?? '').toMatch(/^.{0,200}$/u);
    }
  });
});

it('L4: repeats nothing of the message, which may quote a secret', () => {
  const output = read('06-jest-value-moves-a.txt').replaceAll('138', 'canary-138');
  expect(failingSignature(output, { status: 1 }).signature).not.toContain('canary');
});

it('L4: keeps within 200 code points, and long names that differ at their end stay apart', () => {
  const named = (last: string) =>
    failingSignature(read('01-jest-line-time-path-a.txt').replace('adds tax once', `${'😀 very '.repeat(60)}${last}`));
  expect([...(named('a').signature ?? '')].length).toBeLessThanOrEqual(200);
  expect(named('a').signature).not.toBe(named('b').signature);
});

it('names files below the root of the project relative to it', () => {
  const output = read('21-mocha-same-b.txt');
  const [failure] = failingSignature(output, { root: '/tmp/m/acme' }).failingTests;
  expect(failure?.file).toBe('test/queue.js');
});

it.each([
  ['an empty output', '', 'no test'],
  ['only blank lines', '\n \n', 'no test'],
])('gives a signature of %s when the command failed', (_what, output, start) => {
  expect(failingSignature(output, { status: 2 }).signature?.startsWith(start)).toBe(true);
  expect(failingSignature(output, { status: 2 })).not.toEqual(failingSignature(output, { status: 3 }));
});

it('a run of passing tests that ends with another error is told by that error', () => {
  const output = `${read('23-passing-a.txt')}\nerror: coverage of 71 % is below the 80 % asked for\n`;
  expect(failingSignature(output, { status: 1 }).signature).toMatch(/^no test #/);
});
