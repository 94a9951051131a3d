import { compileRules } from '@perdure/rule-match';
import { refusalOf } from '@perdure/testkit';
import { matchInTurns } from './match-in-turns.js';

const rulesOf = (patterns: readonly string[]) =>
  patterns.map((pattern, index) => ({ id: `r${index}`, triggers: { code_patterns: [pattern] } }));

/** Letters without order: every engine has to keep many states of a pattern apart. */
function randomLetters(size: number): string {
  let state = 1;
  return Array.from({ length: size }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return state & 0x1_0000 ? 'a' : 'b';
  }).join('');
}

describe('matching a change in turns', () => {
  it('R2: answers what the matcher answers at once', async () => {
    const matcher = compileRules([
      ...rulesOf(['foo', '(?i)bar', 'x{3}', 'nothing']),
      { id: 'path', triggers: { paths: ['src/**', '!src/gen/**'], code_patterns: ['b.r'] } },
    ]);
    for (const explain of [false, true]) {
      const change = { code: 'foo BAR bar', file_paths: ['src/a.ts', 'src/gen/b.ts'] };
      expect(await matchInTurns(matcher, change, { explain })).toEqual(matcher.match(change, { explain }));
    }
  });

  it('R2: others are served between two searches, however many there are', async () => {
    const matcher = compileRules(rulesOf(Array.from({ length: 30 }, (_, index) => `[ab]*a[ab]{${40 + index}}[cd]`)));
    let served = 0;
    const others = setInterval(() => (served += 1), 1);
    // About a second in all: far from the five that a query may take, also on a machine that does something else.
    await matchInTurns(matcher, { code: randomLetters(1_000) }, {});
    clearInterval(others);
    expect(served).toBeGreaterThan(0);
  });

  it('R2: where the code is too long for a pattern, the refusal says how long it may be', async () => {
    const matcher = compileRules(rulesOf(['ok', '(?:[ab]{0,30}a){10}[cd]']));
    const refusal = await refusalOf(matchInTurns(matcher, { code: randomLetters(100_000) }, {}));
    expect(refusal).toMatchObject({ code: 'too_large', details: { field: 'code', rule_id: 'r1' } });
    const { longest } = refusal.details;
    expect(longest).toBeGreaterThan(20_000);
    const code = randomLetters(Number(longest));
    expect(await matchInTurns(matcher, { code }, {})).toEqual({ matches: [], nearMisses: [] });
  });

  it('R2: an ordinary pattern takes the longest code there is', async () => {
    const matcher = compileRules(rulesOf(['(?m)^\\+.*\\beval\\(', '(?i)todo[^\\n]*urgent', 'console\\.log\\(']));
    const code = `${'+ const a = 1; // todo\n'.repeat(17_000)}+ eval(x)`;
    const { matches } = await matchInTurns(matcher, { code }, {});
    expect(matches.map(({ ruleId }) => ruleId)).toEqual(['r0']);
  });
});
