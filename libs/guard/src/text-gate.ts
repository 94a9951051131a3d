import { shownName } from './shown-name.js';

/** Deepest nesting of an input; deeper ones are refused before any schema looks at them (DESIGN §6). */
const MAX_DEPTH = 32;

/** Keys that name an object's machinery; as data they have no use here and have misled merging code elsewhere. */
const RESERVED_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

export interface InputProblem {
  /** Dotted path of the argument, `prs.0.url`; empty for the input as a whole. */
  readonly path: string;
  readonly message: string;
}

/**
 * The gate in front of every operation (DESIGN §3, §6): U+0000 cannot be stored in Postgres, a lone surrogate would be
 * stored as U+FFFD and later look like tampering. Looks at keys and values at any depth.
 *
 * @returns every problem, at most 20; an empty list means that the input may be parsed
 */
export function checkText(input: unknown): InputProblem[] {
  const problems: InputProblem[] = [];
  visit(input, [], problems);
  return problems;
}

function visit(value: unknown, path: readonly string[], problems: InputProblem[]): void {
  if (problems.length >= 20) return;
  if (path.length > MAX_DEPTH) {
    problems.push({
      path: path.slice(0, 4).map(shownName).join('.'),
      message: `is nested more than ${MAX_DEPTH} levels deep`,
    });
    return;
  }
  if (typeof value === 'string') return report(textProblem(value), path, problems);
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    value.forEach((item, index) => visit(item, [...path, String(index)], problems));
    return;
  }
  for (const [key, item] of Object.entries(value)) {
    report(keyProblem(key), [...path, key], problems);
    visit(item, [...path, key], problems);
  }
}

function report(message: string | null, path: readonly string[], problems: InputProblem[]): void {
  if (message !== null) problems.push({ path: path.map(shownName).join('.'), message });
}

function keyProblem(key: string): string | null {
  if (RESERVED_KEYS.has(key)) return 'is a reserved name and no argument';
  return textProblem(key);
}

function textProblem(text: string): string | null {
  const nul = text.indexOf('\u0000');
  if (nul >= 0) return `holds the character U+0000 at offset ${nul}`;
  if (text.isWellFormed()) return null;
  return `holds a lone surrogate at offset ${loneSurrogateAt(text)}: it is not valid Unicode`;
}

function loneSurrogateAt(text: string): number {
  let offset = 0;
  for (const character of text) {
    if (!character.isWellFormed()) return offset;
    offset += character.length;
  }
  return offset;
}
