// The answer to a query as R1 words it, rule by rule, for the triggers that `ruleSets` makes.
import type { Change, Dimension, MatchableRule, Matched, Triggers } from '../rule.js';
import { referenceGlobMatches } from './reference-glob.js';

/** What a language of a rule holds for, among the paths and languages that the arbitraries make. */
export const REFERENCE_LANGUAGES: Readonly<Record<string, { endings: string[]; names: string[] }>> = {
  ts: { endings: ['.ts', '.tsx'], names: ['TypeScript', 'tsx'] },
  TypeScript: { endings: ['.ts', '.tsx'], names: ['TypeScript', 'tsx'] },
  tsx: { endings: ['.tsx'], names: ['tsx'] },
  python: { endings: ['.py'], names: ['py'] },
  golang: { endings: ['.go'], names: ['go'] },
};

export interface ReferenceAnswer {
  readonly matches: { ruleId: string; matched: Matched }[];
  readonly nearMisses: { ruleId: string; matched: Matched; failed: Dimension }[];
}

const ORDER: readonly Dimension[] = ['paths', 'operations', 'languages', 'code_patterns', 'project_attributes'];

export function referenceAnswer(
  rules: readonly MatchableRule[],
  change: Change,
  projectAttributes: Readonly<Record<string, string>>,
): ReferenceAnswer {
  const answer: ReferenceAnswer = { matches: [], nearMisses: [] };
  for (const { id, triggers, always } of rules) {
    const populated = ORDER.filter((dimension) => textsOf(triggers, dimension).length > 0);
    const matched: Partial<Record<Dimension, string[]>> = {};
    for (const dimension of populated) {
      const texts = textsOf(triggers, dimension).filter((text) =>
        holds(dimension, text, triggers, change, projectAttributes),
      );
      if (texts.length > 0) matched[dimension] = texts;
    }
    const failed = populated.filter((dimension) => matched[dimension] === undefined);
    const [only] = failed;
    if (always) answer.matches.push({ ruleId: id, matched: { always: true } });
    else if (populated.length > 0 && failed.length === 0) answer.matches.push({ ruleId: id, matched });
    else if (only && failed.length === 1 && populated.length > 1)
      answer.nearMisses.push({ ruleId: id, matched, failed: only });
  }
  return answer;
}

function textsOf(triggers: Triggers, dimension: Dimension): string[] {
  if (dimension !== 'project_attributes') return [...(triggers[dimension] ?? [])];
  return Object.entries(triggers.project_attributes ?? {}).flatMap(([name, values]) =>
    values.map((value) => `${name}=${value}`),
  );
}

function holds(
  dimension: Dimension,
  text: string,
  triggers: Triggers,
  change: Change,
  projectAttributes: Readonly<Record<string, string>>,
): boolean {
  switch (dimension) {
    case 'paths':
      return !text.startsWith('!') && (change.file_paths ?? []).some((path) => survives(path, text, triggers));
    case 'operations':
      return (change.operations ?? []).some((operation) => operation.toLowerCase() === text.toLowerCase());
    case 'languages':
      return holdsForLanguage(text, change);
    case 'code_patterns':
      return change.code !== undefined && new RegExp(text).test(change.code);
    case 'project_attributes':
      return [projectAttributes, change.project_attributes ?? {}].some((attributes) =>
        Object.entries(attributes).some(([name, value]) => `${name}=${value}` === text),
      );
  }
}

function survives(path: string, glob: string, triggers: Triggers): boolean {
  const excluded = (triggers.paths ?? []).filter((other) => other.startsWith('!')).map((other) => other.slice(1));
  return referenceGlobMatches(glob, path) && !excluded.some((other) => referenceGlobMatches(other, path));
}

function holdsForLanguage(text: string, { languages = [], file_paths: paths = [] }: Change): boolean {
  const known = REFERENCE_LANGUAGES[text];
  if (!known) return false;
  if (languages.length > 0) return languages.some((language) => known.names.includes(language));
  return paths.some((path) => known.endings.some((ending) => path.endsWith(ending)));
}
