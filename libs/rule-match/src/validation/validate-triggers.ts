import { codePointLength, isBlank } from '@perdure/contracts';
import { checkCodePattern } from '../code/compile-code-pattern.js';
import { compileGlob } from '../globs/compile-glob.js';
import { findLanguage, knownLanguageNames } from '../languages/find-languages.js';
import { DIMENSIONS, type Dimension } from '../rule.js';
import { nearestName } from './nearest-name.js';
import { invalidInput, isRecord, quoted, type TriggerProblem } from './trigger-problem.js';

/** Triggers of one dimension; values of all attributes together. */
const MAX_TRIGGERS = 200;
/** Code points of an operation, an attribute's name or its value. */
const MAX_WORD_LENGTH = 200;

/** What rule files of other tools call the dimension. */
const FOREIGN_NAMES: Readonly<Record<string, Dimension>> = {
  globs: 'paths',
  glob: 'paths',
  applyTo: 'paths',
  files: 'paths',
  file_paths: 'paths',
  code: 'code_patterns',
  attributes: 'project_attributes',
};

/**
 * What is wrong with the triggers of a rule, for `create_rule` and `revise_rule`. A trigger that can never match is
 * refused rather than stored: nobody would see that the rule is silent.
 *
 * @param triggers as the caller sent them, of any type
 * @param always the rule's own mark: triggers beside it contradict it
 */
export function validateTriggers(triggers: unknown, always = false): TriggerProblem[] {
  if (!isRecord(triggers)) return [invalidInput('triggers', 'must be an object of dimensions')];
  const unknown = Object.keys(triggers).filter((name) => !isDimension(name));
  const problems = [
    ...unknown.map(unknownDimension),
    ...DIMENSIONS.flatMap((dimension) => problemsIn(dimension, triggers[dimension])),
  ];
  if (problems.length > 0 || !always) return problems;
  const contradicting = DIMENSIONS.filter((dimension) => isPopulated(triggers[dimension]));
  return contradicting.map((dimension) =>
    invalidInput(dimension, 'contradicts always, which applies to every change: leave out the one or the other'),
  );
}

const isDimension = (name: string): name is Dimension => DIMENSIONS.some((dimension) => dimension === name);

const isPopulated = (value: unknown): boolean =>
  isRecord(value) ? Object.keys(value).length > 0 : Array.isArray(value) && value.length > 0;

function unknownDimension(name: string): TriggerProblem {
  const meant = Object.hasOwn(FOREIGN_NAMES, name) ? FOREIGN_NAMES[name] : nearestName(name, DIMENSIONS);
  const hint = meant ? `; is ${meant} meant?` : `; there are ${DIMENSIONS.join(', ')}`;
  return invalidInput(name, `is not a dimension${hint}`);
}

function problemsIn(dimension: Dimension, value: unknown): TriggerProblem[] {
  if (value === undefined) return [];
  if (dimension === 'project_attributes') return attributeProblems(value);
  const problems = listProblems(dimension, value, TRIGGER_CHECKS[dimension]);
  return dimension === 'paths' && problems.length === 0 ? onlyExclusions(value) : problems;
}

type TriggerCheck = (path: string, text: string) => TriggerProblem[];

const checkOperation: TriggerCheck = (path, text) => wordProblems(path, text);

const checkGlob: TriggerCheck = (path, text) => {
  const glob = compileGlob(text);
  if (glob.kind === 'glob') return [];
  const message = `${quoted(text)} is no glob: ${glob.message}`;
  return [{ code: 'invalid_glob', path, message, position: glob.position }];
};

const checkPattern: TriggerCheck = (path, text) => {
  const fault = checkCodePattern(text);
  if (!fault) return [];
  const message = `${quoted(text)} is no RE2 pattern: ${fault.message}, at character ${fault.position}`;
  return [{ code: 'invalid_code_pattern', path, message, position: fault.position }];
};

const checkLanguage: TriggerCheck = (path, text) => {
  if (findLanguage(text) !== null) return [];
  const meant = nearestName(text, knownLanguageNames());
  const hint = meant === null ? '' : `; is ${meant} meant?`;
  return [invalidInput(path, `${quoted(text)} is no language that linguist knows${hint}`)];
};

const TRIGGER_CHECKS = {
  paths: checkGlob,
  operations: checkOperation,
  languages: checkLanguage,
  code_patterns: checkPattern,
} as const;

function listProblems(path: string, value: unknown, check: TriggerCheck): TriggerProblem[] {
  if (!Array.isArray(value)) return [invalidInput(path, 'must be a list of strings')];
  if (value.length > MAX_TRIGGERS)
    return [invalidInput(path, `has ${value.length} entries; the limit is ${MAX_TRIGGERS}`)];
  return value.flatMap((entry: unknown, index) => {
    const place = `${path}.${index}`;
    if (typeof entry !== 'string') return [invalidInput(place, 'must be a string')];
    // A blank is sound as a pattern: code holds it.
    const isEmpty = path === 'code_patterns' ? entry === '' : isBlank(entry);
    return isEmpty ? [invalidInput(place, 'must hold at least one visible character')] : check(place, entry);
  });
}

/** A gitignore of negations ignores nothing, others would read "everything but": the author has to say. */
function onlyExclusions(value: unknown): TriggerProblem[] {
  const globs = Array.isArray(value) ? value.filter((entry): entry is string => typeof entry === 'string') : [];
  if (globs.length === 0 || !globs.every((glob) => glob.startsWith('!'))) return [];
  const message = 'only excludes, so it matches nothing: add ** for everything else';
  return [{ code: 'invalid_glob', path: 'paths.0', message, position: 0 }];
}

function attributeProblems(value: unknown): TriggerProblem[] {
  const path = 'project_attributes';
  if (!isRecord(value)) return [invalidInput(path, 'must be an object of names, each with a list of values')];
  const entries = Object.entries(value);
  if (entries.length > MAX_TRIGGERS) {
    return [invalidInput(path, `has ${entries.length} names; the limit is ${MAX_TRIGGERS}`)];
  }
  return entries.flatMap(([name, values]) => {
    const place = `${path}.${name}`;
    if (Array.isArray(values) && values.length === 0) return [invalidInput(place, 'needs at least one value')];
    return [...wordProblems(path, name), ...listProblems(place, values, checkOperation)];
  });
}

function wordProblems(path: string, text: string): TriggerProblem[] {
  if (isBlank(text)) return [invalidInput(path, 'must hold at least one visible character')];
  const length = codePointLength(text);
  if (length <= MAX_WORD_LENGTH) return [];
  return [invalidInput(path, `has ${length} characters; the limit is ${MAX_WORD_LENGTH}`)];
}
