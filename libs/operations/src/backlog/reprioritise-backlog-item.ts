import { catalogue, DomainError } from '@perdure/contracts';
import { implement } from '../dispatcher/implement.js';
import { lockItem, refuseFinal, requireBacklogItem } from './find-backlog-item.js';

export const reprioritiseBacklogItemHandler = implement(
  catalogue.backlog.reprioritiseBacklogItem,
  async ({ tx, input, audit }) => {
    if (input.priority === undefined && input.category === undefined) {
      const fields = [{ path: 'priority', message: 'give priority, category or both' }];
      throw new DomainError('invalid_input', 'Invalid input. priority: give priority, category or both', { fields });
    }
    const item = await lockItem(tx, input.backlog_item_id);
    refuseFinal(item);
    const { priority = item.priority, category = item.category } = input;
    if (priority !== item.priority || category !== item.category) {
      await tx.run(`UPDATE backlog_item SET priority = $3, category = $4 WHERE workspace_id = $1 AND id = $2`, [
        tx.workspaceId,
        item.id,
        priority,
        category,
      ]);
      const from = { priority: item.priority, category: item.category };
      audit({ type: 'backlog_item.reprioritised', subjectId: item.id, payload: { from, to: { priority, category } } });
    }
    return { backlog_item: await requireBacklogItem(tx, item.id) };
  },
);
