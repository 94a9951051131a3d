import { normalizePath, type PathProblem } from '../globs/normalize-path.js';
import { nearestName } from './nearest-name.js';
import { invalidInput, isRecord, quoted, type TriggerProblem } from './trigger-problem.js';

const LIST_FIELDS = ['file_paths', 'operations', 'languages'] as const;
const FIELDS = [...LIST_FIELDS, 'code', 'project_attributes'] as const;

const FOREIGN_NAMES: Readonly<Record<string, string>> = {
  paths: 'file_paths',
  files: 'file_paths',
  diff: 'code',
  code_patterns: 'code',
  attributes: 'project_attributes',
};

const PATH_PROBLEMS: Readonly<Record<PathProblem, string>> = {
  empty: 'names no file',
  absolute: 'is absolute: give it relative to the root of the repository',
  outside: 'leads out of the repository: give it relative to its root',
};

/**
 * What is wrong with the part of `query_applicable_rules` that describes the change. Answering "no rules" to a path that
 * cannot be in the repository, to a misspelt argument or to an attribute that is no text would be a silent miss.
 *
 * @param change as the caller sent it, of any type
 */
export function validateChange(change: unknown): TriggerProblem[] {
  if (!isRecord(change)) return [invalidInput('change', 'must be an object')];
  const unknown = Object.keys(change).filter((name) => !FIELDS.some((field) => field === name));
  return [
    ...unknown.map(unknownField),
    ...LIST_FIELDS.flatMap((field) => listProblems(field, change[field])),
    ...codeProblems(change.code),
    ...attributeProblems(change.project_attributes),
  ];
}

function unknownField(name: string): TriggerProblem {
  const meant = Object.hasOwn(FOREIGN_NAMES, name) ? FOREIGN_NAMES[name] : nearestName(name, FIELDS);
  return invalidInput(name, `is not an argument${meant ? `; is ${meant} meant?` : `; there are ${FIELDS.join(', ')}`}`);
}

function listProblems(field: (typeof LIST_FIELDS)[number], value: unknown): TriggerProblem[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) return [invalidInput(field, 'must be a list of strings')];
  return value.flatMap((entry: unknown, index) => {
    const place = `${field}.${index}`;
    if (typeof entry !== 'string') return [invalidInput(place, 'must be a string')];
    return field === 'file_paths' ? pathProblems(place, entry) : [];
  });
}

function pathProblems(place: string, given: string): TriggerProblem[] {
  const path = normalizePath(given);
  return typeof path === 'string' ? [invalidInput(place, `${quoted(given)} ${PATH_PROBLEMS[path]}`)] : [];
}

const codeProblems = (code: unknown): TriggerProblem[] =>
  code === undefined || typeof code === 'string' ? [] : [invalidInput('code', 'must be a string')];

function attributeProblems(attributes: unknown): TriggerProblem[] {
  if (attributes === undefined) return [];
  if (!isRecord(attributes)) return [invalidInput('project_attributes', 'must be an object of strings')];
  return Object.entries(attributes)
    .filter(([, value]) => typeof value !== 'string')
    .map(([name]) => invalidInput(`project_attributes.${name}`, 'must be a string, such as "true" or "20"'));
}
