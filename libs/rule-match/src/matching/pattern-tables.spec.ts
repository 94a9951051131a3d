import fc from 'fast-check';
import { compileRules } from '../index.js';
import { changes, ruleSets } from '../testing/rule-arbitraries.js';
import { PatternTables } from './pattern-tables.js';

describe('R5: a new version of the rules', () => {
  it('R5: takes over what was compiled, and only what it still names', () => {
    const earlier = new PatternTables();
    for (const text of ['a', 'b', 'src/{']) earlier.globNumber(text, null);
    earlier.codePatternNumber('x', null);
    const later = new PatternTables();
    expect([
      later.globNumber('b', earlier),
      later.globNumber('c', earlier),
      later.globNumber('src/{', earlier),
    ]).toEqual([0, 1, null]);
    expect(later.codePatternNumber('x', earlier)).toBe(0);
    expect(later.globs.map(({ pattern }) => pattern)).toEqual(['b', 'c']);
    expect(later.globs[0]).toBe(earlier.globs[1]);
    expect(later.codePatterns[0]).toBe(earlier.codePatterns[0]);
  });

  it('R5: numbers a text once', () => {
    const tables = new PatternTables();
    expect(['a', 'b', 'a'].map((text) => tables.globNumber(text, null))).toEqual([0, 1, 0]);
    expect(['x', 'x'].map((text) => tables.codePatternNumber(text, null))).toEqual([0, 0]);
  });

  it('R5: answers as if it were compiled afresh', () => {
    fc.assert(
      fc.property(ruleSets, ruleSets, changes, (before, after, change) => {
        const earlier = compileRules(before);
        earlier.match(change);
        const options = { explain: true };
        expect(compileRules(after, earlier).match(change, options)).toEqual(compileRules(after).match(change, options));
      }),
      { numRuns: 150 },
    );
  });
});
