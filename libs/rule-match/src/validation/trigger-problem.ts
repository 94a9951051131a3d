import type { ErrorCode } from '@perdure/contracts';

/** A code of the catalogue; all three are of kind `invalid_input`. */
export type TriggerProblemCode = Extract<ErrorCode, 'invalid_input' | 'invalid_glob' | 'invalid_code_pattern'>;

/** What is wrong with an argument, and where. */
export interface TriggerProblem {
  readonly code: TriggerProblemCode;
  /** Dotted, relative to what was checked: `paths.1`. */
  readonly path: string;
  /** A sentence without its subject, which is `path`; it quotes the faulty value where that helps. */
  readonly message: string;
  /** Zero-based code point index into the glob or pattern. */
  readonly position?: number;
}

/** As a sentence that stands alone. */
export const describeProblem = ({ path, message }: TriggerProblem): string => `${path}: ${message}`;

export const invalidInput = (path: string, message: string): TriggerProblem => ({
  code: 'invalid_input',
  path,
  message,
});

/** A value of the caller in a message: in quotes, cut so that a message stays a line. */
export const quoted = (text: string): string =>
  JSON.stringify(text.length > 80 ? `${text.slice(0, 79).toWellFormed()}…` : text);

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
