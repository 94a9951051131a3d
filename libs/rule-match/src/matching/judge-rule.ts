import { DIMENSIONS, type Dimension, type Matched } from '../rule.js';
import type { ChangeFacts } from './change-facts.js';
import type { CompiledRule, Trigger } from './compiled-rule.js';

/** What a change has to say to the triggers that are compared by number; how it finds out is its own affair. */
export interface Evidence {
  readonly facts: ChangeFacts;
  /** Indexes of the change's files that the glob matches, as if it were not negated. */
  filesMatching(glob: number): ReadonlySet<number>;
  codeMatches(pattern: number): boolean;
}

export interface Verdict {
  readonly matched: Matched;
  /** The one dimension that did not match; null: the rule applies. */
  readonly failed: Dimension | null;
}

/**
 * Judges one rule (R1): every populated dimension must match, inside one any trigger suffices, a rule without any never
 * applies unless it is `always`. Null: it does not apply and is no near miss either.
 *
 * @param nearMisses false: gives up at the first dimension that fails
 */
export function judgeRule(rule: CompiledRule, evidence: Evidence, nearMisses: boolean): Verdict | null {
  if (rule.always) return { matched: { always: true }, failed: null };
  const found = new Map<Dimension, readonly string[]>();
  let failed: Dimension | null = null;
  for (const dimension of rule.dimensions) {
    const texts = matchedTexts(rule, dimension, evidence);
    if (texts.length > 0) found.set(dimension, texts);
    else if (failed !== null || !nearMisses) return null;
    else failed = dimension;
  }
  if (found.size === 0) return null;
  const inOrder = DIMENSIONS.flatMap((dimension) => {
    const texts = found.get(dimension);
    return texts ? [[dimension, texts] as const] : [];
  });
  return { matched: Object.fromEntries(inOrder), failed };
}

function matchedTexts(rule: CompiledRule, dimension: Dimension, evidence: Evidence): readonly string[] {
  const { facts } = evidence;
  switch (dimension) {
    case 'paths': {
      const removed = filesOfAny(rule.excludedGlobs, evidence);
      return textsWhere(rule.globs, (glob) => leavesAFile(glob, removed, evidence));
    }
    case 'operations':
      return textsWhere(rule.operations, (key) => facts.operations.has(key));
    case 'languages':
      return textsWhere(rule.languages, (key) => facts.languages.has(key));
    case 'code_patterns':
      if (facts.code === null) return [];
      return textsWhere(rule.codePatterns, (pattern) => evidence.codeMatches(pattern));
    case 'project_attributes':
      return textsWhere(rule.attributes, (key) => facts.attributes.has(key));
  }
}

const textsWhere = <Key>(triggers: readonly Trigger<Key>[], holds: (key: Key) => boolean): string[] =>
  triggers.filter(({ key }) => holds(key)).map(({ text }) => text);

/** One file that survives the exclusions is enough; the order of the globs carries no meaning. */
function leavesAFile(glob: number, removed: ReadonlySet<number>, evidence: Evidence): boolean {
  const files = evidence.filesMatching(glob);
  if (files.size === 0 || removed.size === 0) return files.size > 0;
  return [...files].some((file) => !removed.has(file));
}

function filesOfAny(globs: readonly number[], evidence: Evidence): ReadonlySet<number> {
  const [only, ...others] = globs;
  if (only !== undefined && others.length === 0) return evidence.filesMatching(only);
  return new Set(globs.flatMap((glob) => [...evidence.filesMatching(glob)]));
}
