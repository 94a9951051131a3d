import { findLanguage } from '../languages/find-languages.js';
import type { Dimension, MatchableRule, Triggers } from '../rule.js';
import { attributeKey, operationKey } from './change-facts.js';
import type { PatternTables } from './pattern-tables.js';

/** One trigger: the key it is compared by, and the rule's own text for the answer. */
export interface Trigger<Key> {
  readonly key: Key;
  readonly text: string;
}

export interface CompiledRule {
  readonly id: string;
  readonly always: boolean;
  /** Populated dimensions, cheapest first: code is searched only where all else matched. */
  readonly dimensions: readonly Dimension[];
  /** Keys are the numbers of `PatternTables`. */
  readonly globs: readonly Trigger<number>[];
  readonly excludedGlobs: readonly number[];
  readonly codePatterns: readonly Trigger<number>[];
  readonly operations: readonly Trigger<string>[];
  readonly languages: readonly Trigger<string>[];
  readonly attributes: readonly Trigger<string>[];
}

const CHEAPEST_FIRST = ['operations', 'project_attributes', 'languages', 'paths', 'code_patterns'] as const;

/**
 * Compiles a rule that `validateTriggers` found sound. A trigger that is not sound after all (stored under other limits)
 * matches nothing, and its rule with it: one such rule must not fail the query of all others.
 *
 * @param tables take up its globs and code patterns
 * @param earlier those of an earlier version of the rules
 */
export function compileRule(rule: MatchableRule, tables: PatternTables, earlier: PatternTables | null): CompiledRule {
  const { id, triggers, always = false } = rule;
  const globs = keyed(triggers.paths, (text) => tables.globNumber(text, earlier));
  const isExcluded = ({ key }: Trigger<number>): boolean => tables.globs[key]?.negated === true;
  return {
    id,
    always,
    dimensions: CHEAPEST_FIRST.filter((dimension) => isPopulated(triggers, dimension)),
    globs: globs.filter((glob) => !isExcluded(glob)),
    excludedGlobs: globs.filter(isExcluded).map(({ key }) => key),
    codePatterns: keyed(triggers.code_patterns, (text) => tables.codePatternNumber(text, earlier)),
    operations: keyed(triggers.operations, operationKey),
    languages: keyed(triggers.languages, findLanguage),
    attributes: attributePairs(triggers).map(([name, value]) => ({
      text: `${name}=${value}`,
      key: attributeKey(name, value),
    })),
  };
}

/** Texts without a key can match nothing and are left out. */
function keyed<Key>(texts: readonly string[] = [], keyOf: (text: string) => Key | null): Trigger<Key>[] {
  return texts.flatMap((text) => {
    const key = keyOf(text);
    return key === null ? [] : [{ key, text }];
  });
}

/** An empty list populates nothing, and neither does an attribute without values. */
function isPopulated(triggers: Triggers, dimension: Dimension): boolean {
  if (dimension === 'project_attributes') return attributePairs(triggers).length > 0;
  return (triggers[dimension] ?? []).length > 0;
}

const attributePairs = ({ project_attributes: attributes = {} }: Triggers): [string, string][] =>
  Object.entries(attributes).flatMap(([name, values]) => values.map((value): [string, string] => [name, value]));
