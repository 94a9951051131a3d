import { compileRules, type Change, type Triggers } from '../index.js';

const MEBIBYTE = 2 ** 20;
/** Times as long a text as the shorter one of a comparison. Quadratic work would grow 64-fold. */
const GROWTH = 8;
/** Reads of one character of the text, whatever engine searches it: forward, at boundaries, and for the grams. */
const MAX_READS = 30;

const readOne = String.prototype.charCodeAt;

/**
 * Steps of a search: how often it reads a character. Times would say what else the machine does; every engine of RE2JS
 * and the index of grams read their text through this one function.
 */
const readsOf = (run: () => void): number => {
  let reads = 0;
  String.prototype.charCodeAt = function count(this: string, index: number): number {
    reads += 1;
    return readOne.call(this, index);
  };
  try {
    run();
  } finally {
    String.prototype.charCodeAt = readOne;
  }
  return reads;
};

const expectLinear = (triggers: Triggers, changeOf: (size: number) => Change, size: number): void => {
  const index = compileRules([{ id: 'r', triggers }]);
  const [small, large] = [changeOf(size / GROWTH), changeOf(size)];
  index.match(small);
  const [readsOfSmall, readsOfLarge] = [readsOf(() => index.match(small)), readsOf(() => index.match(large))];
  expect(readsOfSmall).toBeGreaterThan(0);
  expect(readsOfLarge / readsOfSmall).toBeLessThan(GROWTH * 1.5);
  expect(readsOfLarge / size).toBeLessThan(MAX_READS);
};

const randomLetters = (size: number): string => {
  let state = 1;
  return Array.from({ length: size }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return state & 0x1_0000 ? 'a' : 'b';
  }).join('');
};

describe('R2: hostile patterns and texts of 1 MiB stay linear', () => {
  afterEach(() => expect(String.prototype.charCodeAt).toBe(readOne));

  it.each([
    ['(a+)+$', (size: number) => `${'a'.repeat(size)}!`],
    ['(x+x+)+[yz]', (size: number) => 'x'.repeat(size)],
    ['(?:.*,){20}[yz]', (size: number) => 'a,'.repeat(size / 2)],
    ['(?:a?){200}a{200}[bc]', (size: number) => 'a'.repeat(size)],
    ['(?i)(?:a|aa)+[cd]$', (size: number) => 'aA'.repeat(size / 2)],
    ['.*.*.*.*[=#].*', (size: number) => 'a'.repeat(size)],
    ['(?m)^(?:\\s*a)*\\b[xy]$', (size: number) => ' a'.repeat(size / 2)],
    ['a{100}{10}[bc]', (size: number) => 'a'.repeat(size)],
  ])('R2: %s', (pattern, textOf) => {
    expectLinear({ code_patterns: [pattern] }, (size) => ({ code: textOf(size) }), MEBIBYTE);
  });

  it('R2: a pattern with more states than memory, over random text', () => {
    expectLinear({ code_patterns: ['[ab]*a[ab]{12}[cd]'] }, (size) => ({ code: randomLetters(size) }), MEBIBYTE);
  });

  it('R2: a text that is full of the grams of many patterns', () => {
    const patterns = Array.from({ length: 200 }, (_, number) => `aaaaaaaaa${number}`);
    expectLinear({ code_patterns: patterns }, (size) => ({ code: 'a'.repeat(size) }), MEBIBYTE);
  });

  it.each([
    ['*a*a*a*a*a*a*a*a*a*a*a*a*b', (size: number) => 'a'.repeat(size)],
    ['**/a/**/a/**/a/**/a/**/a/**/b', (size: number) => `${'a/'.repeat(size / 2)}b/c/b`],
    ['**/*a*/**/*a*/**/*a*/**/*b', (size: number) => `${'aa/'.repeat(size / 3)}c`],
    ['{*a,*aa}{*a,*aa}{*a,*aa}{*a,*aa}b', (size: number) => 'a'.repeat(size)],
    ['[!b]*[!b]*[!b]*[!b]*b/x', (size: number) => `${'a'.repeat(size)}/x`],
  ])('R2: the glob %s', (glob, pathOf) => {
    expectLinear({ paths: [glob] }, (size) => ({ file_paths: [pathOf(size)] }), MEBIBYTE);
  });

  it('R2: a path of half a million segments or dots is answered', () => {
    // What is done to paths outside of RE2 reads no single characters: quadratic work would run into the time limit.
    const index = compileRules([
      { id: 'r', triggers: { paths: ['a/**/*.ts', '**/*.x.y.z', '**/b/**'], languages: ['ts'] } },
    ]);
    for (const path of [
      'a/'.repeat(MEBIBYTE / 2) + 'c',
      '.'.repeat(MEBIBYTE) + 'c',
      'a/../'.repeat(MEBIBYTE / 5) + 'c',
    ]) {
      expect(index.match({ file_paths: [path] }).matches).toEqual([]);
    }
  });
});
