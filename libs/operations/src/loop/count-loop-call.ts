import { catalogue } from '@perdure/contracts';
import { implement } from '../dispatcher/implement.js';
import { ensureLoop } from './loop-rows.js';

/** L2: the row decides, so that parallel calls lose no count and together never pass the cap. */
export const countLoopCallHandler = implement(catalogue.loop.countLoopCall, async ({ tx, input, now, newId }) => {
  const loop = await ensureLoop(tx, input, { newId, lock: false });
  const key = [tx.workspaceId, loop.id, input.session_id];
  await tx.run(
    `INSERT INTO loop_run (workspace_id, loop_id, session_id, started_at, last_called_at) VALUES ($1, $2, $3, $4, $4)
     ON CONFLICT (workspace_id, loop_id, session_id) DO NOTHING`,
    [...key, now],
  );
  const counted = await tx.first<{ bash_calls: number }>(
    `UPDATE loop_run SET bash_calls = bash_calls + $4, last_called_at = greatest(last_called_at, $6)
     WHERE workspace_id = $1 AND loop_id = $2 AND session_id = $3 AND bash_calls + $4 <= $5 RETURNING bash_calls`,
    [...key, input.calls ?? 1, loop.cap, now],
  );
  if (counted !== undefined) return { allowed: true, bash_calls: counted.bash_calls, cap: loop.cap };
  const blocked = await tx.first<{ bash_calls: number }>(
    `SELECT bash_calls FROM loop_run WHERE workspace_id = $1 AND loop_id = $2 AND session_id = $3`,
    key,
  );
  return { allowed: false, bash_calls: blocked?.bash_calls ?? 0, cap: loop.cap };
});
