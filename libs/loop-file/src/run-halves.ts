import type { LoopState, RunHalf } from './loop-state.js';

/** Halves of other live sessions that are kept (L5). */
export const MAX_PARKED = 8;

/**
 * The state with the session's half in `run`: a known id goes on with its count, a new one gets a half of its own in one
 * assignment (L1). The half that stood there is parked, and the work half is not touched.
 *
 * @returns besides, the half that found no place any more, if there is one
 */
export function enterRun(
  state: LoopState,
  sessionId: string,
): { state: LoopState & { run: RunHalf }; forgotten: RunHalf | undefined } {
  const { run, parked_runs } = state;
  if (run?.session_id === sessionId) return { state: { ...state, run }, forgotten: undefined };
  const known = parked_runs.find((half) => half.session_id === sessionId);
  const others = [...(run === null ? [] : [run]), ...parked_runs.filter((half) => half !== known)];
  return {
    state: {
      ...state,
      run: known ?? { session_id: sessionId, bash_calls: 0 },
      parked_runs: others.slice(0, MAX_PARKED),
    },
    forgotten: others[MAX_PARKED],
  };
}
