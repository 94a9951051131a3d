import fc from 'fast-check';
import picomatch from 'picomatch';
import { compileGlob } from '../index.js';
import { referenceGlobMatches } from '../testing/reference-glob.js';
import { globs, paths } from '../testing/rule-arbitraries.js';

const matches = (pattern: string, path: string): boolean => {
  const glob = compileGlob(pattern);
  if (glob.kind !== 'glob') throw new Error(`${pattern}: ${glob.message}`);
  return glob.matches(path);
};

const errorOf = (pattern: string): { message: string; position: number } => {
  const result = compileGlob(pattern);
  if (result.kind === 'glob') throw new Error(`${pattern} compiles`);
  return { message: result.message, position: result.position };
};

describe('R2: the glob dialect', () => {
  it.each([
    // pattern, a path it matches, a path it does not match
    ['a/**/**/b', 'a/b', 'ab'],
    ['**/**/a/**/**', 'a/x', 'a'],
    ['a/**/', 'a/b/c', 'a'],
    ['/docs/', 'docs/a', 'x/docs/a'],
    ['a/docs/', 'a/docs/x/y', 'b/a/docs/x'],
    ['./*.md', 'a.md', 'docs/a.md'],
    ['a//b/./c', 'a/b/c', 'a//b/./c'],
    ['***', 'a', ''],
    ['a/***/b', 'a/x/b', 'a/x/y/b'],
    ['*', 'x/y', ''],
    ['/*', 'y', 'x/y'],
    ['{a,b/c}.ts', 'x/a.ts', 'x/b/c.ts'],
    ['src/{,test/}a.ts', 'src/test/a.ts', 'src/x/a.ts'],
    ['a{b,c,}d', 'ad', 'abcd'],
    ['{{a,b},c}x', 'bx', '{a,b}x'],
    ['v{1..3}', 'v{1..3}', 'v2'],
    ['a}b,c', 'a}b,c', 'abc'],
    ['\\{a,b\\}', '{a,b}', 'a'],
    ['x/a\\*', 'x/a*', 'x/ab'],
    ['#a', '#a', 'a'],
    ['!!a', '!a', 'a'],
    ['[]a]x', ']x', 'bx'],
    ['[!]a]x', 'bx', ']x'],
    ['[^a]x', 'bx', 'ax'],
    ['[a-]x', '-x', 'bx'],
    ['[\\]]x', ']x', '\\x'],
    ['[+-9]x', '0x', '/x'],
    ['a[!b]c', 'axc', 'a/c'],
    ['[[:alpha:]_]x', '_x', '1x'],
    ['[[:digit:]-]x', '-x', ':x'],
    ['[à-ü]x', 'éx', 'ex'],
    ['[{a,b}]x', ',x', 'ax}'],
    ['a[b]c', 'a[b]c', 'a[bb]c'],
    ['[id].ts', 'app/[id].ts', '[id]/.ts'],
    ['(a|b).ts', '(a|b).ts', 'a.ts'],
    ['a.b', 'a.b', 'axb'],
    ['a\nb*', 'a\nbc', 'ab'],
    ['*.ts', 'a\n.ts', 'a.ts\n'],
  ])('R2: %j matches %j but not %j', (pattern, yes, no) => {
    expect(matches(pattern, yes)).toBe(true);
    expect(matches(pattern, no)).toBe(false);
  });

  it.each([
    ['src/[ab', 'not closed', 4],
    ['src/[', 'not closed', 4],
    ['[]', 'not closed', 0],
    ['[!]', 'not closed', 0],
    ['x[z-a]', 'backwards', 2],
    ['[[:vowel:]]', '[:vowel:]', 1],
    ['src/{a,b', 'not closed', 4],
    ['{a,{b}', 'not closed', 0],
    ['abc\\', 'escapes nothing', 3],
    ['🦊/[a', 'not closed', 2],
    ['src\\app\\main.ts', 'src/app/main.ts', 3],
    ['src\\**\\*.ts', 'src/**/*.ts', 3],
    ['docs\\?.md', 'docs/?.md', 4],
    ['', 'names no path', 0],
    ['/', 'names no path', 0],
    ['./', 'names no path', 0],
    ['!', 'names no path', 1],
    ['../src/**', '".."', 0],
    [' src/**', 'white space', 0],
    ['src/** ', 'white space', 6],
    ['{a,b}'.repeat(9), 'more than 256', 0],
    ['{1,2,3,4,5,6,7,8,9,0}'.repeat(2) + 'x'.repeat(500), 'more than 10000', 0],
    ['a'.repeat(1_001), 'the limit is 1000', 1_000],
  ])('R2: %j is refused', (pattern, message, position) => {
    expect(errorOf(pattern)).toEqual({ message: expect.stringContaining(message), position });
  });

  it('R2: an escaped first star is no Windows path, nor is an escape beside a slash', () => {
    expect(matches('\\*.md', '*.md')).toBe(true);
    expect(matches('src/\\*.ts', 'src/*.ts')).toBe(true);
    expect(matches('src/a\\ ', 'src/a ')).toBe(true);
  });

  it('R2: says what it excludes without excluding it itself', () => {
    const glob = compileGlob('!src/gen/**');
    expect(glob).toMatchObject({ kind: 'glob', negated: true, pattern: '!src/gen/**' });
    expect(glob.kind === 'glob' && glob.matches('src/gen/a.ts')).toBe(true);
    expect(compileGlob('\\!a')).toMatchObject({ negated: false });
  });

  it('R2: twenty braces of two are refused at once rather than expanded', () => {
    expect(errorOf('{a,b}'.repeat(20)).message).toContain('256');
    expect(errorOf('{1,2}{'.repeat(10) + 'x').message).toContain('not closed');
  });

  it('R2: answers as a second reading of the dialect does', () => {
    fc.assert(
      fc.property(globs, paths, (glob, path) => {
        expect(matches(glob, path)).toBe(referenceGlobMatches(glob, path));
      }),
      { numRuns: 2_000 },
    );
  });

  it('R2: no text makes it throw, or take another text than itself', () => {
    const signs = fc.constantFrom(...'*?[]{}!,\\/.-^:ab🦊é('.split(/(?:)/u));
    fc.assert(
      fc.property(
        fc.array(signs, { maxLength: 14 }).map((list) => list.join('')),
        (pattern) => {
          const glob = compileGlob(pattern);
          if (glob.kind === 'glob_error') expect(glob.position).toBeLessThanOrEqual(pattern.length);
          else expect(typeof glob.matches('a/b')).toBe('boolean');
        },
      ),
      { numRuns: 3_000 },
    );
  });
});

describe('R2: cross-checked with picomatch', () => {
  /**
   * Where the two agree on the meaning: picomatch knows no anchoring, takes `a/**` for `a` too, and has its own view of
   * dots, of stars that are no segment, of literal braces and of negated classes.
   */
  const isHarmless = (glob: string): boolean =>
    glob.includes('/') && !/^[./]|\/\.?\/|\/$|\*\*\*|[^/]\*\*|\*\*[^/]|\{x\}|\[id\]|\[!|\{[^{}]*\//.test(glob);
  const namesItsFolder = (glob: string, path: string): boolean =>
    glob.endsWith('/**') && picomatch(glob.slice(0, -3), { dot: true, noextglob: true })(path);

  it('R2: gives the same answer on harmless patterns', () => {
    let compared = 0;
    fc.assert(
      fc.property(globs, paths, (glob, path) => {
        fc.pre(isHarmless(glob) && !namesItsFolder(glob, path) && glob !== path);
        compared += 1;
        const theirs = picomatch(glob, { dot: true, noextglob: true, nonegate: true, strictSlashes: true });
        expect([glob, path, matches(glob, path)]).toEqual([glob, path, theirs(path)]);
      }),
      { numRuns: 2_000, maxSkipsPerRun: 50 },
    );
    expect(compared).toBeGreaterThanOrEqual(2_000);
  });
});
