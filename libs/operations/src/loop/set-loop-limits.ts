import { catalogue, DomainError } from '@perdure/contracts';
import { implement } from '../dispatcher/implement.js';
import { ensureLoop } from './loop-rows.js';

export const setLoopLimitsHandler = implement(catalogue.loop.setLoopLimits, async ({ tx, input, newId, audit }) => {
  if (input.cap === undefined && input.no_progress_limit === undefined) {
    const fields = [{ path: 'cap', message: 'give cap, no_progress_limit or both' }];
    throw new DomainError('invalid_input', 'Invalid input. cap: give cap, no_progress_limit or both', { fields });
  }
  const before = await ensureLoop(tx, input, { newId, lock: true });
  const limits = {
    cap: input.cap ?? before.cap,
    no_progress_limit: input.no_progress_limit ?? before.no_progress_limit,
  };
  const changed = await tx.run(
    `UPDATE loop SET cap = $3, no_progress_limit = $4
     WHERE workspace_id = $1 AND id = $2 AND (cap, no_progress_limit) IS DISTINCT FROM ($3::int, $4::int)`,
    [tx.workspaceId, before.id, limits.cap, limits.no_progress_limit],
  );
  if (changed > 0) {
    const { branch, loop } = input;
    audit({ type: 'loop.limits_set', subjectId: before.id, payload: { branch, loop, ...limits } });
  }
  return { limits };
});
