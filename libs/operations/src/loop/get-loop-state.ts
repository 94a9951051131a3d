import { catalogue, DEFAULT_LOOP_LIMITS, hasNoProgress, type LoopWorkObject } from '@perdure/contracts';
import type { Transaction } from '@perdure/store';
import { implement } from '../dispatcher/implement.js';
import { findLoop, findRun, workOf } from './loop-rows.js';

const NOTHING_MEASURED: LoopWorkObject = { failing_signature: null, diff_hash: null, unchanged: 0, measured_at: null };

/** A loop that nobody has used yet is as it would be when first used. */
export const getLoopStateHandler = implement(catalogue.loop.getLoopState, async ({ tx, input }) => {
  const loop = await findLoop(tx, input);
  if (loop === undefined) {
    return {
      run: null,
      work: NOTHING_MEASURED,
      no_progress: false,
      limits: DEFAULT_LOOP_LIMITS,
      recent_measurements: [],
    };
  }
  return {
    run: await findRun(tx, loop, input.session_id),
    work: workOf(loop),
    no_progress: hasNoProgress(loop, loop),
    limits: { cap: loop.cap, no_progress_limit: loop.no_progress_limit },
    recent_measurements: await recentMeasurements(tx, loop.id),
  };
});

/** Newest first. */
function recentMeasurements(tx: Transaction, loopId: string): Promise<LoopWorkObject[]> {
  return tx.rows<LoopWorkObject>(
    `SELECT failing_signature, diff_hash, unchanged, perdure_instant(measured_at) AS measured_at FROM loop_measurement
     WHERE workspace_id = $1 AND loop_id = $2 ORDER BY id DESC LIMIT 50`,
    [tx.workspaceId, loopId],
  );
}
