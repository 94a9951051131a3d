import { catalogue } from '@perdure/contracts';
import { implement } from '../dispatcher/implement.js';
import { ensureLoop, workOf } from './loop-rows.js';

/** The only thing that sets the work half back, and a person's decision: it is audited with its reason (L2, L6). */
export const resetLoopWorkHandler = implement(catalogue.loop.resetLoopWork, async ({ tx, input, newId, audit }) => {
  const before = await ensureLoop(tx, input, { newId, lock: true });
  await tx.run(
    `UPDATE loop SET failing_signature = NULL, diff_hash = NULL, unchanged = 0, measured_at = NULL
     WHERE workspace_id = $1 AND id = $2`,
    [tx.workspaceId, before.id],
  );
  const { branch, loop, reason } = input;
  audit({
    type: 'loop.work_reset',
    subjectId: before.id,
    payload: { branch, loop, reason, unchanged: before.unchanged },
  });
  return { work: workOf({ failing_signature: null, diff_hash: null, unchanged: 0, measured_at: null }) };
});
