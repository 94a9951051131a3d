import type { Change, MatchableRule, MatchAnswer, MatchOptions, RuleMatcher } from '../rule.js';
import { factsOf, type ChangeFacts } from './change-facts.js';
import { collectAnswer, drained } from './collect-answer.js';
import { compileRule, type CompiledRule } from './compiled-rule.js';
import type { Evidence } from './judge-rule.js';
import { PatternTables } from './pattern-tables.js';

/** Asks every matcher anew each time it is asked. */
class PlainEvidence implements Evidence {
  constructor(
    readonly facts: ChangeFacts,
    private readonly tables: PatternTables,
  ) {}

  filesMatching(glob: number): ReadonlySet<number> {
    const indexes = this.facts.files.flatMap(({ text }, index) =>
      this.tables.globs[glob]?.matches(text) ? [index] : [],
    );
    return new Set(indexes);
  }

  codeMatches(pattern: number): boolean {
    return this.tables.codePatterns[pattern]?.matches(this.facts.code ?? '') ?? false;
  }
}

class RuleLoop implements RuleMatcher {
  readonly ruleCount: number;

  constructor(
    private readonly rules: readonly CompiledRule[],
    private readonly tables: PatternTables,
  ) {
    this.ruleCount = rules.length;
  }

  match(change: Change, { explain = false, projectAttributes }: MatchOptions = {}): MatchAnswer {
    const evidence = new PlainEvidence(factsOf(change, projectAttributes), this.tables);
    return drained(collectAnswer(this.rules, evidence, explain));
  }
}

/**
 * The naive loop: the same matchers, every rule asked. Answers what `compileRules` answers, as slowly as the number of
 * rules makes it; it is what the index is measured and tested against.
 */
export function loopOverRules(rules: readonly MatchableRule[]): RuleMatcher {
  const tables = new PatternTables();
  const compiled = rules.map((rule) => compileRule(rule, tables, null));
  return new RuleLoop(compiled, tables);
}
