import { catalogue, DomainError } from '@perdure/contracts';
import { implement } from '../dispatcher/implement.js';
import { type LockedItem, lockItem, refuseFinal, requireBacklogItem } from './find-backlog-item.js';

export const assignBacklogItemHandler = implement(catalogue.backlog.assignBacklogItem, async ({ tx, input, audit }) => {
  const item = await lockItem(tx, input.backlog_item_id);
  refuseFinal(item);
  if (item.assignee === input.assignee) return { backlog_item: await requireBacklogItem(tx, item.id) };
  if (item.assignee !== null && input.reassign !== true) throw alreadyAssigned(item);
  await tx.run(`UPDATE backlog_item SET assignee = $3 WHERE workspace_id = $1 AND id = $2`, [
    tx.workspaceId,
    item.id,
    input.assignee,
  ]);
  audit({ type: 'backlog_item.assigned', subjectId: item.id, payload: { from: item.assignee, to: input.assignee } });
  return { backlog_item: await requireBacklogItem(tx, item.id) };
});

/** Names the holder, so that the caller knows whom to ask. */
export const alreadyAssigned = (item: LockedItem) =>
  new DomainError('already_assigned', `The item is held by ${item.assignee ?? 'nobody'}.`, {
    backlog_item_id: item.id,
    assignee: item.assignee,
  });
