import type { MatchAnswer, NearMiss, RuleMatch } from '../rule.js';
import type { CompiledRule } from './compiled-rule.js';
import { judgeRule, type Evidence } from './judge-rule.js';

/** Judges the given rules, in their order; pauses after each. */
export function* collectAnswer(
  rules: Iterable<CompiledRule>,
  evidence: Evidence,
  explain: boolean,
): Generator<void, MatchAnswer> {
  const matches: RuleMatch[] = [];
  const nearMisses: NearMiss[] = [];
  for (const rule of rules) {
    const verdict = judgeRule(rule, evidence, explain);
    yield;
    if (!verdict) continue;
    const { matched, failed } = verdict;
    if (failed === null) matches.push({ ruleId: rule.id, matched });
    else nearMisses.push({ ruleId: rule.id, matched, failed });
  }
  return { matches, nearMisses };
}

/** The end of steps that nobody wants to pause between. */
export function drained<Result>(steps: Generator<void, Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
