import type { Dimension } from '../rule.js';
import type { CompiledRule } from './compiled-rule.js';

/** Trigger → the numbers of the rules found under it. */
export type Postings = ReadonlyMap<string, readonly number[]>;

/**
 * How often a trigger leads to its rule in vain, compared by experience rather than measured: an attribute of the project
 * holds for all its changes, a handful of languages for nearly all of a workspace, and code must be searched.
 */
const WEIGHTS: Readonly<Record<Dimension, number>> = {
  paths: 1,
  operations: 1,
  languages: 4,
  project_attributes: 16,
  code_patterns: 1_000,
};

/** One key for all dimensions, so that one table holds them. */
export const triggerKey = (dimension: Dimension, key: string | number): string => `${dimension} ${key}`;

/**
 * Each rule under the triggers of one dimension only, the one that the fewest changes touch in vain. That suffices,
 * since a rule applies only where each of its dimensions matches.
 *
 * @param unkeyed globs that every path leads to, such as `**`
 */
export function postByCheapestDimension(rules: readonly CompiledRule[], unkeyed: ReadonlySet<number>): Postings {
  const sharing = new Map<string, number>();
  for (const rule of rules) for (const key of everyKey(rule)) sharing.set(key, (sharing.get(key) ?? 0) + 1);
  const costOf = (rule: CompiledRule, dimension: Dimension): number => {
    if (dimension === 'paths' && rule.globs.some(({ key }) => unkeyed.has(key))) return rules.length;
    const shared = keysIn(rule, dimension).reduce((sum, key) => sum + (sharing.get(key) ?? 0), 0);
    return shared * WEIGHTS[dimension];
  };
  return post(rules, (rule) => {
    const [cheapest] = rule.dimensions.toSorted((one, other) => costOf(rule, one) - costOf(rule, other));
    return cheapest ? keysIn(rule, cheapest) : [];
  });
}

/** Each rule under all its triggers: finds also those of which only some dimension matches. */
export const postByEveryDimension = (rules: readonly CompiledRule[]): Postings => post(rules, everyKey);

function post(rules: readonly CompiledRule[], keysOf: (rule: CompiledRule) => readonly string[]): Postings {
  const postings = new Map<string, number[]>();
  rules.forEach((rule, number) => {
    for (const key of keysOf(rule)) {
      const list = postings.get(key);
      if (list) list.push(number);
      else postings.set(key, [number]);
    }
  });
  return postings;
}

const everyKey = (rule: CompiledRule): string[] => rule.dimensions.flatMap((dimension) => keysIn(rule, dimension));

function keysIn(rule: CompiledRule, dimension: Dimension): string[] {
  return [...new Set(triggersIn(rule, dimension).map(({ key }) => triggerKey(dimension, key)))];
}

function triggersIn(rule: CompiledRule, dimension: Dimension): readonly { readonly key: string | number }[] {
  switch (dimension) {
    case 'paths':
      return rule.globs;
    case 'operations':
      return rule.operations;
    case 'languages':
      return rule.languages;
    case 'code_patterns':
      return rule.codePatterns;
    case 'project_attributes':
      return rule.attributes;
  }
}
