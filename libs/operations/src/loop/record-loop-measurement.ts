import { catalogue, hasNoProgress, unchangedAfter, type LoopWorkObject } from '@perdure/contracts';
import type { Transaction } from '@perdure/store';
import { implement } from '../dispatcher/implement.js';
import { ensureLoop, workOf } from './loop-rows.js';

/** Measurements that are kept to be looked at. */
const KEPT = 50;

export const recordLoopMeasurementHandler = implement(
  catalogue.loop.recordLoopMeasurement,
  async ({ tx, input, now, newId }) => {
    const before = await ensureLoop(tx, input, { newId, lock: true });
    const { failing_signature: signature, diff_hash: diffHash } = input;
    const after = {
      ...before,
      failing_signature: signature,
      diff_hash: diffHash,
      unchanged: unchangedAfter(before, input),
      measured_at: now,
    };
    await tx.run(
      `UPDATE loop SET failing_signature = $3, diff_hash = $4, unchanged = $5, measured_at = $6
       WHERE workspace_id = $1 AND id = $2`,
      [tx.workspaceId, before.id, signature, diffHash, after.unchanged, now],
    );
    await keepMeasurement(tx, { loopId: before.id, id: newId(), work: after });
    return { work: workOf(after), no_progress: hasNoProgress(after, after) };
  },
);

async function keepMeasurement(
  tx: Transaction,
  kept: { loopId: string; id: string; work: LoopWorkObject },
): Promise<void> {
  const { loopId, id, work } = kept;
  await tx.run(
    `INSERT INTO loop_measurement (workspace_id, loop_id, id, failing_signature, diff_hash, unchanged, measured_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [tx.workspaceId, loopId, id, work.failing_signature, work.diff_hash, work.unchanged, work.measured_at],
  );
  await tx.run(
    `DELETE FROM loop_measurement WHERE workspace_id = $1 AND loop_id = $2 AND id < (
       SELECT min(id) FROM (SELECT id FROM loop_measurement WHERE workspace_id = $1 AND loop_id = $2
                            ORDER BY id DESC LIMIT ${KEPT}) newest)`,
    [tx.workspaceId, loopId],
  );
}
