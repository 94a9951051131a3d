import { type ActorObject, catalogue } from '@perdure/contracts';
import { ACTOR_JSON, blockersOf, commentsOf, type Transaction } from '@perdure/store';
import { implement } from '../dispatcher/implement.js';
import { requireBacklogItem } from './find-backlog-item.js';

export const getBacklogItemHandler = implement(catalogue.backlog.getBacklogItem, async ({ tx, input }) => {
  const item = await requireBacklogItem(tx, input.backlog_item_id);
  return {
    backlog_item: item,
    comments: await commentsOf(tx, item.id),
    blockers: await blockersOf(tx, item.id),
    transitions: await transitionsOf(tx, item.id),
  };
});

interface Transition {
  readonly type: string;
  readonly actor: ActorObject;
  readonly at: string;
  readonly details: Record<string, unknown> | null;
}

/** What happened to the item, as audited; details are null once erased. */
function transitionsOf(tx: Transaction, id: string): Promise<Transition[]> {
  return tx.rows<Transition>(
    `SELECT t.type, ${ACTOR_JSON} AS actor, perdure_instant(t.at) AS at, d.payload::jsonb AS details
     FROM transition t
     JOIN actor a ON a.workspace_id = t.workspace_id AND a.id = t.actor_id
     LEFT JOIN audit_payload d ON d.workspace_id = t.workspace_id AND d.event_id = t.audit_event_id
     WHERE t.workspace_id = $1 AND t.subject_type = 'backlog_item' AND t.subject_id = $2
     ORDER BY t.at, t.audit_event_id`,
    [tx.workspaceId, id],
  );
}
