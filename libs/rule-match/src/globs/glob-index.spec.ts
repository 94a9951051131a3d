import fc from 'fast-check';
import { globs, paths } from '../testing/rule-arbitraries.js';
import { compileGlob, type CompiledGlob } from './compile-glob.js';
import { drained } from '../matching/collect-answer.js';
import { GlobIndex } from './glob-index.js';
import { keyOf } from './glob-key.js';
import { normalizePath, type RepositoryPath } from './normalize-path.js';

const compiled = (pattern: string): CompiledGlob => {
  const glob = compileGlob(pattern);
  if (glob.kind !== 'glob') throw new Error(`${pattern}: ${glob.message}`);
  return glob;
};

const pathOf = (text: string): RepositoryPath => {
  const path = normalizePath(text);
  if (typeof path === 'string') throw new Error(`${text} is ${path}`);
  return path;
};

const keysOf = (pattern: string) => compiled(pattern).alternatives.map(keyOf);

describe('R2: the index of globs', () => {
  it('R2: finds exactly the globs that match, in files and directories', () => {
    const places = fc.oneof(
      paths,
      paths.map((path) => `${path}/`),
    );
    fc.assert(
      fc.property(fc.uniqueArray(globs, { minLength: 1, maxLength: 8 }), places, (patterns, place) => {
        const list = patterns.map(compiled);
        const path = pathOf(place);
        const expected = list.flatMap((glob, number) => (glob.matches(path.text) ? [number] : []));
        expect([...drained(new GlobIndex(list).find(path))].sort((one, other) => one - other)).toEqual(expected);
      }),
      { numRuns: 800 },
    );
  });

  it.each([
    ['packages/a/**', ['packages', 'a'], 'beneath', { kind: 'none' }, null, true],
    ['src/*.ts', ['src'], 'in', { kind: 'ending', text: '.ts' }, null, true],
    ['**/*.d.ts', [], 'beneath', { kind: 'ending', text: '.d.ts' }, null, true],
    ['Makefile', [], 'beneath', { kind: 'name', text: 'Makefile' }, null, true],
    ['/README.md', [], 'in', { kind: 'name', text: 'README.md' }, null, true],
    ['src/a*.ts', ['src'], 'in', { kind: 'ending', text: '.ts' }, null, false],
    ['src/*x.ts', ['src'], 'in', { kind: 'ending', text: '.ts' }, null, false],
    ['*.a.b.c.d', [], 'beneath', { kind: 'ending', text: '.b.c.d' }, null, false],
    ['**/core/*/node_modules/**', [], 'beneath', { kind: 'none' }, 'node_modules', false],
    ['apps/*/src/**/*.ts', ['apps'], 'beneath', { kind: 'ending', text: '.ts' }, 'src', false],
    ['src/**/x?', ['src'], 'beneath', { kind: 'none' }, null, false],
  ])('R2: keys %s', (pattern, directories, depth, name, segment, complete) => {
    expect(keysOf(pattern)).toEqual([{ directories, depth, name, segment, complete }]);
  });

  it('R2: asks no expression where the key says all', () => {
    const silent = { ...compiled('packages/a/**'), matches: () => false };
    expect([...drained(new GlobIndex([silent]).find(pathOf('packages/a/x/y.ts')))]).toEqual([0]);
  });

  it('R2: asks no glob of another directory, ending or segment', () => {
    const patterns = ['lib/*a.ts', '**/*a.css', '**/gen/**/a?', 'src/deep/**/?'];
    const asked: string[] = [];
    const list = patterns.map((pattern) => ({
      ...compiled(pattern),
      matches: () => {
        asked.push(pattern);
        return false;
      },
    }));
    drained(new GlobIndex(list).find(pathOf('src/a.ts')));
    expect(asked).toEqual([]);
  });

  it('R2: knows the globs that every path leads to', () => {
    const list = ['**', 'src/**', '*x*', '**/gen/**', '{a,**/b?}'].map(compiled);
    expect([...new GlobIndex(list).unkeyed]).toEqual([0, 2, 4]);
  });
});
