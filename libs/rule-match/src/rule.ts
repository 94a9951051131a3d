/** The dimensions a rule can be triggered by (R2), in the order in which answers name them. */
export const DIMENSIONS = ['paths', 'operations', 'languages', 'code_patterns', 'project_attributes'] as const;

export type Dimension = (typeof DIMENSIONS)[number];

/** Mirrors the `triggers` of OPERATIONS: what makes a rule apply. An absent or empty dimension does not count (R1). */
export interface Triggers {
  /** Globs of the dialect that `compileGlob` documents; a leading `!` excludes. */
  readonly paths?: readonly string[];
  /** Free vocabulary, compared without case. */
  readonly operations?: readonly string[];
  /** Names or aliases that linguist knows, compared without case. */
  readonly languages?: readonly string[];
  /** RE2 expressions, searched for in the code as given. */
  readonly code_patterns?: readonly string[];
  /** Key → the values it may have. */
  readonly project_attributes?: Readonly<Record<string, readonly string[]>>;
}

export const SEVERITIES = ['info', 'warn', 'must'] as const;

export type Severity = (typeof SEVERITIES)[number];

/** What matching needs to know of a rule. */
export interface MatchableRule {
  readonly id: string;
  readonly triggers: Triggers;
  /** Applies to every change. Triggers beside it are refused at creation; where both stand, `always` wins. */
  readonly always?: boolean;
}

/** A rule as the product stores it, so far as this library needs it. */
export interface Rule extends MatchableRule {
  readonly title: string;
  readonly body_markdown: string;
  readonly always: boolean;
  readonly severity: Severity;
}

/** The arguments of `query_applicable_rules` that describe the change. */
export interface Change {
  /** Relative to the repository's root, with either separator. */
  readonly file_paths?: readonly string[];
  readonly operations?: readonly string[];
  /** None given: inferred from `file_paths`. */
  readonly languages?: readonly string[];
  /** Text or a unified diff; searched as given, so the removed lines of a diff count too. */
  readonly code?: string;
  readonly project_attributes?: Readonly<Record<string, string>>;
}

/**
 * Which triggers of which dimension matched (R3): the rule's own texts, in the rule's order; an attribute as `key=value`.
 * A rule that applies always says only that.
 */
export type Matched = Partial<Record<Dimension, readonly string[]>> & { readonly always?: true };

export interface RuleMatch {
  readonly ruleId: string;
  readonly matched: Matched;
}

/** A rule of which some dimension matched and exactly one did not. */
export interface NearMiss extends RuleMatch {
  readonly failed: Dimension;
}

export interface MatchAnswer {
  /** In the order in which the rules were given. */
  readonly matches: readonly RuleMatch[];
  /** Empty unless `explain` was asked for. */
  readonly nearMisses: readonly NearMiss[];
}

export interface MatchOptions {
  /** Also list near misses. Looks at more rules, so it costs more. */
  readonly explain?: boolean;
  /** The project's own attributes. They are added to the caller's: a caller cannot talk a rule away. */
  readonly projectAttributes?: Readonly<Record<string, string>>;
  /** What the search for one code pattern may cost, in instructions times UTF-16 units. Default: whatever it takes. */
  readonly searchLimit?: number;
}

/** The code is too long for a pattern as complex as this one. */
export class SearchTooLong extends Error {
  constructor(
    readonly ruleId: string,
    readonly pattern: string,
    /** UTF-16 units of code that this pattern can be searched for in. */
    readonly longest: number,
  ) {
    super(`the code is longer than ${longest} characters, too long for a code pattern of rule ${ruleId}`);
  }
}

/** Answers for the rules it was made from. */
export interface RuleMatcher {
  readonly ruleCount: number;
  /** Throws a SearchTooLong with a `searchLimit`, else never. Expects a change without problems (`validateChange`): a path outside the repository matches nothing. */
  match(change: Change, options?: MatchOptions): MatchAnswer;
}

/** Answers in steps as well, so that whoever drives it can let others have their turn in between. */
export interface SteppingMatcher extends RuleMatcher {
  /** Pauses after each search: one is bounded by the limits of a glob, or by `searchLimit` for a code pattern. */
  steps(change: Change, options?: MatchOptions): Generator<void, MatchAnswer>;
}
