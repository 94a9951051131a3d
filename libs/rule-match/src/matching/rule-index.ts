import { CodePatternIndex } from '../code/code-pattern-index.js';
import { GlobIndex } from '../globs/glob-index.js';
import type { Change, MatchableRule, MatchAnswer, MatchOptions, RuleMatcher } from '../rule.js';
import { factsOf, type ChangeFacts } from './change-facts.js';
import { collectAnswer } from './collect-answer.js';
import { compileRule, type CompiledRule } from './compiled-rule.js';
import type { Evidence } from './judge-rule.js';
import { PatternTables } from './pattern-tables.js';
import { postByCheapestDimension, postByEveryDimension, triggerKey, type Postings } from './rule-postings.js';

const NO_FILES: ReadonlySet<number> = new Set();

/** Asks the index of globs once per file, and each code pattern at most once. */
class IndexedEvidence implements Evidence {
  /** Glob → files; only globs that match one. */
  readonly filesByGlob = new Map<number, Set<number>>();
  readonly candidatePatterns: ReadonlySet<number>;
  private readonly codeAnswers = new Map<number, boolean>();

  constructor(
    readonly facts: ChangeFacts,
    private readonly tables: PatternTables,
    globIndex: GlobIndex,
    codeIndex: CodePatternIndex,
  ) {
    facts.files.forEach((path, file) => {
      for (const glob of globIndex.find(path)) {
        const files = this.filesByGlob.get(glob);
        if (files) files.add(file);
        else this.filesByGlob.set(glob, new Set([file]));
      }
    });
    this.candidatePatterns = facts.code === null ? NO_FILES : codeIndex.candidates(facts.code);
  }

  filesMatching(glob: number): ReadonlySet<number> {
    return this.filesByGlob.get(glob) ?? NO_FILES;
  }

  codeMatches(pattern: number): boolean {
    if (!this.candidatePatterns.has(pattern)) return false;
    const known = this.codeAnswers.get(pattern);
    if (known !== undefined) return known;
    const answer = this.tables.codePatterns[pattern]?.matches(this.facts.code ?? '') ?? false;
    this.codeAnswers.set(pattern, answer);
    return answer;
  }
}

class RuleIndex implements RuleMatcher {
  readonly ruleCount: number;
  private readonly globIndex: GlobIndex;
  private readonly codeIndex: CodePatternIndex;
  private readonly always: readonly number[];
  private readonly byCheapest: Postings;
  /** Near misses are asked for by people, rarely: made at the first such question. */
  private byEvery: Postings | null = null;

  constructor(
    private readonly rules: readonly CompiledRule[],
    readonly tables: PatternTables,
  ) {
    this.ruleCount = rules.length;
    this.globIndex = new GlobIndex(tables.globs);
    this.codeIndex = new CodePatternIndex(tables.codePatterns);
    this.always = rules.flatMap(({ always }, number) => (always ? [number] : []));
    this.byCheapest = postByCheapestDimension(rules, this.globIndex.unkeyed);
  }

  match(change: Change, { explain = false, projectAttributes }: MatchOptions = {}): MatchAnswer {
    const facts = factsOf(change, projectAttributes);
    const evidence = new IndexedEvidence(facts, this.tables, this.globIndex, this.codeIndex);
    return collectAnswer(this.candidates(evidence, explain), evidence, explain);
  }

  /** Every rule that may apply, and with `explain` every rule of which some dimension may match; in their order. */
  private candidates(evidence: IndexedEvidence, explain: boolean): CompiledRule[] {
    const postings = explain ? (this.byEvery ??= postByEveryDimension(this.rules)) : this.byCheapest;
    const numbers = new Set(this.always);
    for (const key of keysOf(evidence)) for (const number of postings.get(key) ?? []) numbers.add(number);
    const inOrder = Uint32Array.from(numbers).sort();
    return Array.from(inOrder, (number) => this.rules[number]).filter((rule) => rule !== undefined);
  }
}

/** The keys under which rules stand that this change speaks to. */
function* keysOf({ facts, filesByGlob, candidatePatterns }: IndexedEvidence): Generator<string> {
  for (const operation of facts.operations) yield triggerKey('operations', operation);
  for (const language of facts.languages) yield triggerKey('languages', language);
  for (const attribute of facts.attributes) yield triggerKey('project_attributes', attribute);
  for (const glob of filesByGlob.keys()) yield triggerKey('paths', glob);
  for (const pattern of candidatePatterns) yield triggerKey('code_patterns', pattern);
}

/**
 * Compiles the rules of a workspace, once per version of them, for any number of changes. A change is then compared with
 * the rules its paths, operations, languages, code and attributes lead to, not with all.
 *
 * Never throws: a stored trigger that is not sound matches nothing.
 *
 * @param earlier what was compiled of an earlier version: its globs and patterns are used again
 */
export function compileRules(rules: readonly MatchableRule[], earlier?: RuleMatcher): RuleMatcher {
  const earlierTables = earlier instanceof RuleIndex ? earlier.tables : null;
  const tables = new PatternTables();
  const compiled = rules.map((rule) => compileRule(rule, tables, earlierTables));
  return new RuleIndex(compiled, tables);
}
