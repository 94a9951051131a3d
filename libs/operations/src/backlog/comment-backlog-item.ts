import { catalogue } from '@perdure/contracts';
import { implement } from '../dispatcher/implement.js';
import { requireBacklogItem } from './find-backlog-item.js';

export const commentBacklogItemHandler = implement(
  catalogue.backlog.commentBacklogItem,
  async ({ tx, caller, input, now, newId }) => {
    const item = await requireBacklogItem(tx, input.backlog_item_id);
    const id = newId();
    await tx.run(
      `INSERT INTO backlog_comment (workspace_id, id, backlog_item_id, actor_id, body_markdown, created_at)
       VALUES ($1, $2, $3, $4, $5, $6)`,
      [tx.workspaceId, id, item.id, caller.actor.id, input.body_markdown, now],
    );
    return { comment: { id, actor: caller.actor, body_markdown: input.body_markdown, created_at: now } };
  },
);
