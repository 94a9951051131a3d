import fc from 'fast-check';
import { compileRules, loopOverRules, validateTriggers } from '../index.js';
import { referenceAnswer } from '../testing/reference-matcher.js';
import { changes, globs, paths, projectAttributes, ruleSets } from '../testing/rule-arbitraries.js';

const idsOf = (triggers: Parameters<typeof compileRules>[0][number]['triggers'], filePaths: string[]): string[] =>
  compileRules([{ id: 'r', triggers }])
    .match({ file_paths: filePaths })
    .matches.map(({ ruleId }) => ruleId);

describe('R1: the index against a naive reference', () => {
  it('R1: gives its answer for random rule sets and changes, near misses included', () => {
    fc.assert(
      fc.property(ruleSets, changes, changes, projectAttributes, (rules, one, other, attributes) => {
        const index = compileRules(rules);
        for (const change of [one, other]) {
          const expected = referenceAnswer(rules, change, attributes);
          expect(index.match(change, { explain: true, projectAttributes: attributes })).toEqual(expected);
          expect(index.match(change, { projectAttributes: attributes })).toEqual({ ...expected, nearMisses: [] });
        }
      }),
      { numRuns: 2_000 },
    );
  }, 180_000);

  it('R1: and so does the loop with the same matchers', () => {
    fc.assert(
      fc.property(ruleSets, changes, projectAttributes, (rules, change, attributes) => {
        const answer = loopOverRules(rules).match(change, { explain: true, projectAttributes: attributes });
        expect(answer).toEqual(referenceAnswer(rules, change, attributes));
      }),
      { numRuns: 300 },
    );
  });

  it('R1: meets every sort of answer while it does', () => {
    const samples = fc.sample(fc.tuple(ruleSets, changes, projectAttributes), { numRuns: 500, seed: 1 });
    const answers = samples.map(([rules, change, attributes]) => referenceAnswer(rules, change, attributes));
    const share = (sort: 'matches' | 'nearMisses'): number =>
      answers.filter((answer) => answer[sort].length > 0).length;
    expect(share('matches')).toBeGreaterThan(150);
    expect(share('nearMisses')).toBeGreaterThan(50);
  });
});

describe('R2: globs of one rule', () => {
  it('R2: each of n matches alone', () => {
    fc.assert(
      fc.property(fc.uniqueArray(globs, { minLength: 2, maxLength: 5 }), paths, (list, path) => {
        const alone = list.filter((glob) => idsOf({ paths: [glob] }, [path]).length > 0);
        const [match] = compileRules([{ id: 'r', triggers: { paths: list } }]).match({ file_paths: [path] }).matches;
        expect(match?.matched.paths ?? []).toEqual(alone);
      }),
      { numRuns: 500 },
    );
  });

  it('R2: their order does not matter, exclusions included', () => {
    const list = ['src/**', '!src/gen/**', '**/*.css'];
    const orders = list.flatMap((first) => {
      const [second = '', third = ''] = list.filter((glob) => glob !== first);
      return [
        [first, second, third],
        [first, third, second],
      ];
    });
    for (const order of orders) {
      expect(idsOf({ paths: order }, ['src/a.ts'])).toEqual(['r']);
      expect(idsOf({ paths: order }, ['x/a.css'])).toEqual(['r']);
      expect(idsOf({ paths: order }, ['src/gen/a.css'])).toEqual([]);
    }
  });

  it('R2: one of several exclusions is enough', () => {
    const list = { paths: ['src/**', '!src/a/**', '!src/b/**'] };
    expect(idsOf(list, ['src/a/x.ts'])).toEqual([]);
    expect(idsOf(list, ['src/b/x.ts', 'src/a/x.ts'])).toEqual([]);
    expect(idsOf(list, ['src/b/x.ts', 'src/c/x.ts'])).toEqual(['r']);
  });

  it('R2: packages/a/** holds for packages/a alone', () => {
    expect(idsOf({ paths: ['packages/a/**'] }, ['packages/a/x.ts'])).toEqual(['r']);
    expect(idsOf({ paths: ['packages/a/**'] }, ['packages/b/x.ts', 'packages/ab/x.ts', 'x/packages/a/x.ts'])).toEqual(
      [],
    );
  });

  it('R2: a changed directory touches the rules for what is in it', () => {
    expect(idsOf({ paths: ['docs/**'] }, ['docs/'])).toEqual(['r']);
    expect(idsOf({ paths: ['docs/'] }, ['docs/'])).toEqual(['r']);
    expect(idsOf({ paths: ['docs/*'] }, ['docs/'])).toEqual([]);
    expect(idsOf({ paths: ['**/*.md'] }, ['docs/'])).toEqual([]);
  });
});

describe('R1: a rule that was stored unsound', () => {
  it('R1: matches nothing and leaves the others alone', () => {
    const rules = [
      { id: 'glob', triggers: { paths: ['src/{a'] } },
      { id: 'pattern', triggers: { code_patterns: ['(?=x)'] } },
      { id: 'language', triggers: { languages: ['klingon'] } },
      { id: 'sound', triggers: { paths: ['src/**'] } },
    ];
    const change = { file_paths: ['src/a'], code: 'x', languages: ['klingon'] };
    for (const matcher of [compileRules(rules), loopOverRules(rules)]) {
      expect(matcher.ruleCount).toBe(4);
      expect(matcher.match(change).matches.map(({ ruleId }) => ruleId)).toEqual(['sound']);
    }
  });

  it('R1: always wins over triggers that stand beside it', () => {
    const rules = [{ id: 'r', triggers: { paths: ['db/**'] }, always: true }];
    expect(compileRules(rules).match({ file_paths: ['web/a.ts'] }).matches).toEqual([
      { ruleId: 'r', matched: { always: true } },
    ]);
    expect(validateTriggers({ paths: ['db/**'] }, true)).toEqual([expect.objectContaining({ path: 'paths' })]);
  });
});
