import { CodePatternIndex } from '../code/code-pattern-index.js';
import { GlobIndex } from '../globs/glob-index.js';
import {
  SearchTooLong,
  type Change,
  type MatchableRule,
  type MatchAnswer,
  type MatchOptions,
  type RuleMatcher,
  type SteppingMatcher,
} from '../rule.js';
import { factsOf, type ChangeFacts } from './change-facts.js';
import { collectAnswer, drained } from './collect-answer.js';
import { compileRule, type CompiledRule } from './compiled-rule.js';
import { judgeRule, type Evidence } from './judge-rule.js';
import { PatternTables } from './pattern-tables.js';
import { postByCheapestDimension, postByEveryDimension, triggerKey, type Postings } from './rule-postings.js';

const NONE: ReadonlySet<number> = new Set();

/** What the indexes found for one change; each code pattern is searched for at most once. */
class IndexedEvidence implements Evidence {
  /** Glob → files; only globs that match one. */
  readonly filesByGlob = new Map<number, Set<number>>();
  candidatePatterns: ReadonlySet<number> = NONE;
  private readonly codeAnswers = new Map<number, boolean>();

  constructor(
    readonly facts: ChangeFacts,
    private readonly tables: PatternTables,
  ) {}

  *askIndexes(globs: GlobIndex, codePatterns: CodePatternIndex): Generator<void, void> {
    for (const [file, path] of this.facts.files.entries()) {
      for (const glob of yield* globs.find(path)) {
        const files = this.filesByGlob.get(glob);
        if (files) files.add(file);
        else this.filesByGlob.set(glob, new Set([file]));
      }
    }
    if (this.facts.code !== null) this.candidatePatterns = yield* codePatterns.candidates(this.facts.code);
  }

  /** Searches the code for the patterns that decide about a rule: its other dimensions have been asked before. */
  *searchCode(rules: readonly CompiledRule[], explain: boolean, limit: number): Generator<void, void> {
    const hopeful: Evidence = {
      facts: this.facts,
      filesMatching: (glob) => this.filesMatching(glob),
      codeMatches: (pattern) => this.candidatePatterns.has(pattern),
    };
    for (const rule of rules) {
      if (rule.codePatterns.length === 0 || judgeRule(rule, hopeful, explain) === null) continue;
      for (const { key } of rule.codePatterns) {
        if (this.codeAnswers.has(key) || !this.candidatePatterns.has(key)) continue;
        this.codeAnswers.set(key, this.search(rule, key, limit));
        yield;
      }
    }
  }

  filesMatching(glob: number): ReadonlySet<number> {
    return this.filesByGlob.get(glob) ?? NONE;
  }

  codeMatches(pattern: number): boolean {
    return this.codeAnswers.get(pattern) ?? false;
  }

  private search(rule: CompiledRule, number: number, limit: number): boolean {
    const [code, pattern] = [this.facts.code ?? '', this.tables.codePatterns[number]];
    if (pattern === undefined) return false;
    const cost = pattern.cost(code);
    if (cost > limit) throw new SearchTooLong(rule.id, pattern.pattern, Math.floor((limit / cost) * code.length));
    return pattern.matches(code);
  }
}

class RuleIndex implements SteppingMatcher {
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

  match(change: Change, options?: MatchOptions): MatchAnswer {
    return drained(this.steps(change, options));
  }

  *steps(change: Change, options: MatchOptions = {}): Generator<void, MatchAnswer> {
    const { explain = false, projectAttributes, searchLimit = Infinity } = options;
    const evidence = new IndexedEvidence(factsOf(change, projectAttributes), this.tables);
    yield* evidence.askIndexes(this.globIndex, this.codeIndex);
    const candidates = this.candidates(evidence, explain);
    yield* evidence.searchCode(candidates, explain, searchLimit);
    return yield* collectAnswer(candidates, evidence, explain);
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
export function compileRules(rules: readonly MatchableRule[], earlier?: RuleMatcher): SteppingMatcher {
  const earlierTables = earlier instanceof RuleIndex ? earlier.tables : null;
  const tables = new PatternTables();
  const compiled = rules.map((rule) => compileRule(rule, tables, earlierTables));
  return new RuleIndex(compiled, tables);
}
