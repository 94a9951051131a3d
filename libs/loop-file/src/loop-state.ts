import type { LastMeasured } from '@perdure/contracts';

/** How many shell calls a session of the client made (L1). */
export interface RunHalf {
  readonly session_id: string;
  readonly bash_calls: number;
}

/** What the test step measured last; it outlives every session (L1). */
export type WorkHalf = LastMeasured;

/** What `.loop/state.json` holds. */
export interface LoopState {
  /** The session that called last; null until one has. */
  readonly run: RunHalf | null;
  readonly work: WorkHalf;
  /** The other sessions, the one that called last first. */
  readonly parked_runs: readonly RunHalf[];
  /** Top-level keys that others put there: kept as they are, never read. */
  readonly foreign: Readonly<Record<string, unknown>>;
}

/** Something to tell a person, in one line: the call went on all the same. */
export interface LoopFileWarning {
  readonly code: 'missing' | 'not_a_file' | 'too_large' | 'torn' | 'foreign' | 'unknown_keys' | 'run_forgotten';
  readonly message: string;
}

export const NOTHING_MEASURED: WorkHalf = { failing_signature: null, diff_hash: null, unchanged: 0 };

export const FRESH_STATE: LoopState = { run: null, work: NOTHING_MEASURED, parked_runs: [], foreign: {} };

/** Ours first, so that the two halves are what a person sees on opening the file. */
export function printLoopState({ run, work, parked_runs, foreign }: LoopState): string {
  const parked = parked_runs.length > 0 ? { parked_runs } : {};
  return `${JSON.stringify({ run, work, ...parked, ...foreign }, null, 2)}\n`;
}
