import { catalogue, DomainError } from '@perdure/contracts';
import { implement } from '../dispatcher/implement.js';
import { lockItem, refuseFinal, requireBacklogItem } from './find-backlog-item.js';

export const releaseBacklogItemHandler = implement(
  catalogue.backlog.releaseBacklogItem,
  async ({ tx, input, audit }) => {
    const item = await lockItem(tx, input.backlog_item_id);
    refuseFinal(item);
    if (item.status !== 'in_progress') {
      throw new DomainError('illegal_transition', `Only an item in progress is released; this one is ${item.status}.`, {
        from: item.status,
        to: 'triaged',
        allowed: [],
      });
    }
    await tx.run(`UPDATE backlog_item SET status = 'triaged', assignee = NULL WHERE workspace_id = $1 AND id = $2`, [
      tx.workspaceId,
      item.id,
    ]);
    audit({
      type: 'backlog_item.released',
      subjectId: item.id,
      payload: { from: item.status, to: 'triaged', assignee: item.assignee, reason: input.reason },
    });
    return { backlog_item: await requireBacklogItem(tx, item.id) };
  },
);
