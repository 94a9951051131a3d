import { catalogue } from '@perdure/contracts';
import { resolveSource } from '../sources/resolve-source.js';
import { implement } from '../dispatcher/implement.js';
import { insertBlockers } from './block-backlog-item.js';
import { requireBacklogItem } from './find-backlog-item.js';

export const fileBacklogItemHandler = implement(
  catalogue.backlog.fileBacklogItem,
  async ({ tx, caller, input, now, newId, audit }) => {
    const source = await resolveSource(tx, caller, input);
    const id = newId();
    await tx.run(
      `INSERT INTO backlog_item (workspace_id, id, project_id, build_session_id, actor_id, title, body_markdown, priority, category, filed_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
      [
        tx.workspaceId,
        id,
        source.projectId,
        source.buildSessionId,
        caller.actor.id,
        input.title,
        input.body_markdown,
        input.priority,
        input.category,
        now,
      ],
    );
    await insertBlockers(tx, id, input.blocked_by ?? []);
    audit({
      type: 'backlog_item.filed',
      subjectId: id,
      payload: {
        project_id: source.projectId,
        build_session_id: source.buildSessionId,
        title: input.title,
        priority: input.priority,
        category: input.category,
        blocked_by: input.blocked_by ?? [],
      },
    });
    return { backlog_item: await requireBacklogItem(tx, id), linked_by: source.linkedBy };
  },
);
