// What server, hook and test step must judge alike about a loop. Free of zod: the hook in front of every shell call
// starts in a process of its own and has no time to load a schema library.
import { LINE_LIMIT, textProblem } from './text.js';

/** What holds where nobody has set a limit (L1). */
export const DEFAULT_LOOP_LIMITS = { cap: 40, no_progress_limit: 3 } as const;

/** Largest values; the smallest is 1 each. There is none for "unlimited" (L2). */
export const LOOP_BOUNDS = { cap: 100_000, no_progress_limit: 1_000, calls: 10_000 } as const;

/** Code points of a failing signature: enough to name a test, too few for its output (L4). */
export const FAILING_SIGNATURE_LIMIT = 200;

/** A whole output has several lines (L4). */
export const ONE_LINE = { pattern: /^[^\r\n\u2028\u2029]*$/, problem: 'must be one line' } as const;

/** A diff does not fit (L4). */
export const DIFF_HASH = { pattern: /^[0-9a-fA-F]{7,64}$/, problem: 'must be 7 to 64 hex digits' } as const;

/** Each of these says what is wrong with a text, or null when nothing is. */
export const sessionIdProblem = (text: string): string | null => textProblem(text, { max: LINE_LIMIT });

export const failingSignatureProblem = (text: string): string | null =>
  textProblem(text, { max: FAILING_SIGNATURE_LIMIT }) ?? (ONE_LINE.pattern.test(text) ? null : ONE_LINE.problem);

export const diffHashProblem = (text: string): string | null =>
  DIFF_HASH.pattern.test(text) ? null : DIFF_HASH.problem;

/** What the test step saw: the first failing assertion, or null when the tests pass, and the hash of the diff. */
export interface LoopMeasurement {
  readonly failing_signature: string | null;
  readonly diff_hash: string;
}

/** The last measurement, and how often it has repeated since it was first seen. */
export interface LastMeasured {
  readonly failing_signature: string | null;
  readonly diff_hash: string | null;
  readonly unchanged: number;
}

/** L3: the same failure over the same diff counts one more; anything else, a pass and a first sighting count 0. */
export function unchangedAfter(last: LastMeasured, measured: LoopMeasurement): number {
  const same =
    measured.failing_signature !== null &&
    measured.failing_signature === last.failing_signature &&
    measured.diff_hash === last.diff_hash;
  return same ? last.unchanged + 1 : 0;
}

/** L3: a verdict over what was measured and the limit as it is now; computed each time, never stored. */
export const hasNoProgress = (
  { unchanged }: Pick<LastMeasured, 'unchanged'>,
  { no_progress_limit }: { readonly no_progress_limit: number },
): boolean => unchanged >= no_progress_limit;
