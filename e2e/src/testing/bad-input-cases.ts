import { readFileSync } from 'node:fs';
import path from 'node:path';
import { asWritten } from './raw-numbers.js';

export interface BadInputExpectation {
  /** `refused`, `accepted`, or either (`accepted_or_refused`, `refused_or_…`). */
  readonly result: string;
  readonly kind?: string | readonly string[];
  readonly code?: string | readonly string[];
  readonly names_field?: boolean;
  readonly names?: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly round_trip?: 'exact';
  readonly stored?: unknown;
  /** This argument only. */
  readonly only?: string;
  readonly http?: number | readonly number[];
  readonly mcp?: number | readonly number[];
}

/** One wrong value for one kind of argument: cases/bad-input/README.md says what each key means. */
export interface BadInputCase {
  readonly id: string;
  readonly issue: string;
  readonly field_kind: string;
  readonly value?: unknown;
  readonly expect: BadInputExpectation;
}

const FILE = path.join(__dirname, '..', '..', '..', 'cases', 'bad-input', 'cases.json');

export const badInputCases = (): BadInputCase[] => JSON.parse(readFileSync(FILE, 'utf8')) as BadInputCase[]; // ours

/** Stands for an argument that is left out. */
export const OMITTED = Symbol('omitted');

/** Values that the file describes instead of holding them; the README of the cases gives each argument's shape. */
const GENERATORS: ReadonlyMap<string, (argument: unknown) => unknown> = new Map<string, (argument: unknown) => unknown>(
  [
    ['repeat', (argument) => repeated(argument as [string, number])],
    ['concat', (argument) => (argument as unknown[]).map(generated).join('')],
    ['utf16', (argument) => String.fromCharCode(...(argument as string[]).map((unit) => Number.parseInt(unit, 16)))],
    ['array', (argument) => filled(argument as [unknown, number])],
    ['omit', () => OMITTED],
    ['raw', (argument) => asWritten(argument as string)],
  ],
);

/** `{"valid": "report"}` in an array: a usage report that would be taken by itself. */
const VALID_REPORT = { transcript_id: 't', client: 'c', models: [] };

const itemOf = (item: unknown): unknown =>
  typeof item === 'object' && item !== null && 'valid' in item ? VALID_REPORT : item;

const repeated = ([text, times]: [string, number]) => text.repeat(times);
const filled = ([item, length]: [unknown, number]) => Array<unknown>(length).fill(itemOf(item));

/** The value of a case. */
export function generated(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const [entry, ...others] = Object.entries(value);
  if (entry === undefined || others.length > 0) return value;
  const generate = GENERATORS.get(entry[0]);
  return generate === undefined ? value : generate(entry[1]);
}
