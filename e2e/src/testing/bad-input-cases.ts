import { readFileSync } from 'node:fs';
import path from 'node:path';

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

type Generators = Readonly<Record<string, (argument: unknown) => unknown>>;

/** Values that the file describes instead of holding them. */
const GENERATORS: Generators = {
  repeat: (argument) => {
    const [text, times] = argument as [string, number]; // README of the cases, as for all below
    return text.repeat(times);
  },
  concat: (argument) => (argument as unknown[]).map(generated).join(''),
  utf16: (argument) => String.fromCharCode(...(argument as string[]).map((unit) => Number.parseInt(unit, 16))),
  array: (argument) => {
    const [item, length] = argument as [unknown, number];
    return Array<unknown>(length).fill(item);
  },
  omit: () => OMITTED,
};

/** The value of a case. A generator that nobody needs yet is an error when its case falls due. */
export function generated(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const [entry, ...others] = Object.entries(value);
  if (entry === undefined || others.length > 0) return value;
  const generate = GENERATORS[entry[0]];
  return generate === undefined ? value : generate(entry[1]);
}
