import { catalogue, hasNoProgress } from '@perdure/contracts';
import { implement } from '../dispatcher/implement.js';
import { ensureLoop, findRun, workOf } from './loop-rows.js';

/** L1: a known session goes on with its count; a new one gets a run of its own, and no other run is touched. */
export const beginLoopRunHandler = implement(catalogue.loop.beginLoopRun, async ({ tx, input, now, newId }) => {
  const loop = await ensureLoop(tx, input, { newId, lock: false });
  await tx.run(
    `INSERT INTO loop_run (workspace_id, loop_id, session_id, started_at, last_called_at) VALUES ($1, $2, $3, $4, $4)
     ON CONFLICT (workspace_id, loop_id, session_id)
     DO UPDATE SET last_called_at = greatest(loop_run.last_called_at, excluded.last_called_at)`,
    [tx.workspaceId, loop.id, input.session_id, now],
  );
  const run = await findRun(tx, loop, input.session_id);
  if (run === null) throw new Error('a run cannot be read in the transaction that made it');
  return { run, work: workOf(loop), no_progress: hasNoProgress(loop, loop) };
});
