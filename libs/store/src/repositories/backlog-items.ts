import type { BacklogCommentObject, BacklogItemObject } from '@perdure/contracts';
import type { Transaction } from '../transaction.js';
import { ACTOR_JSON } from './build-sessions.js';
import { Conditions } from './conditions.js';
import { addSearch } from './text-search.js';

export type ListedBacklogItem = Omit<BacklogItemObject, 'body_markdown'>;

const LISTED_COLUMNS = `i.id, i.project_id, i.build_session_id,
  (SELECT ${ACTOR_JSON} FROM actor a WHERE a.workspace_id = i.workspace_id AND a.id = i.actor_id) AS actor, i.title, i.priority, i.category, i.status, i.assignee,
  coalesce((SELECT array_agg(b.blocked_by_id::text ORDER BY b.blocked_by_id) FROM backlog_blocker b
    WHERE b.workspace_id = i.workspace_id AND b.backlog_item_id = i.id), '{}') AS blocked_by,
  i.closing_pr_url, i.closing_commit_sha, i.closing_notes, i.dismissal_reason,
  perdure_instant(i.filed_at) AS filed_at, perdure_instant(i.closed_at) AS closed_at`;

const OF_WORKSPACE = 'FROM backlog_item i WHERE i.workspace_id = $1';

/** Open or triaged, and nothing that is not closed stands before it. */
export const READY = `i.status IN ('open', 'triaged') AND NOT EXISTS (
  SELECT FROM backlog_blocker b JOIN backlog_item o ON o.workspace_id = b.workspace_id AND o.id = b.blocked_by_id
  WHERE b.workspace_id = i.workspace_id AND b.backlog_item_id = i.id AND o.status NOT IN ('resolved', 'dismissed'))`;

export const findBacklogItem = (tx: Transaction, id: string): Promise<BacklogItemObject | undefined> =>
  tx.first<BacklogItemObject>(`SELECT ${LISTED_COLUMNS}, i.body_markdown ${OF_WORKSPACE} AND i.id = $2`, [
    tx.workspaceId,
    id,
  ]);

/** The items that an item waits for, or waited for. */
export const blockersOf = (tx: Transaction, id: string): Promise<ListedBacklogItem[]> =>
  tx.rows<ListedBacklogItem>(
    `SELECT ${LISTED_COLUMNS} ${OF_WORKSPACE} AND i.id IN (
       SELECT blocked_by_id FROM backlog_blocker WHERE workspace_id = $1 AND backlog_item_id = $2)
     ORDER BY i.filed_at, i.id`,
    [tx.workspaceId, id],
  );

export const commentsOf = (tx: Transaction, id: string): Promise<BacklogCommentObject[]> =>
  tx.rows<BacklogCommentObject>(
    `SELECT c.id, ${ACTOR_JSON} AS actor, c.body_markdown, perdure_instant(c.created_at) AS created_at
     FROM backlog_comment c JOIN actor a ON a.workspace_id = c.workspace_id AND a.id = c.actor_id
     WHERE c.workspace_id = $1 AND c.backlog_item_id = $2 ORDER BY c.created_at, c.id`,
    [tx.workspaceId, id],
  );

export interface BacklogFilter {
  readonly projectId?: string | undefined;
  readonly buildSessionId?: string | undefined;
  readonly status?: string | undefined;
  readonly priority?: string | undefined;
  readonly category?: string | undefined;
  readonly assignee?: string | undefined;
  readonly search?: string | undefined;
}

/** Items without bodies, newest first. */
export function listBacklogItems(
  tx: Transaction,
  filter: BacklogFilter,
  page: { after?: { filedAt: string; id: string } | undefined; limit: number },
): Promise<ListedBacklogItem[]> {
  const where = conditionsOf(tx, filter).and(
    (at, id) => `(i.filed_at, i.id) < (${at}::timestamptz, ${id})`,
    page.after?.filedAt,
    page.after?.id,
  );
  const order = ` ORDER BY i.filed_at DESC, i.id DESC LIMIT ${where.place(page.limit)}`;
  return tx.rows<ListedBacklogItem>(`SELECT ${LISTED_COLUMNS} ${OF_WORKSPACE}${where.sql}${order}`, where.parameters);
}

/** What can be started now, most urgent first, then oldest. */
export function listReadyBacklogItems(
  tx: Transaction,
  projectId: string | undefined,
  page: { after?: { rank: number; filedAt: string; id: string } | undefined; limit: number },
): Promise<(ListedBacklogItem & { rank: number })[]> {
  const where = new Conditions(tx.workspaceId)
    .and((place) => `i.project_id = ${place}`, projectId)
    .and(
      (rank, at, id) => `(i.priority_rank, i.filed_at, i.id) > (${rank}::int, ${at}::timestamptz, ${id})`,
      page.after?.rank,
      page.after?.filedAt,
      page.after?.id,
    );
  return tx.rows(
    `SELECT ${LISTED_COLUMNS}, i.priority_rank AS rank ${OF_WORKSPACE} AND ${READY}${where.sql}
     ORDER BY i.priority_rank, i.filed_at, i.id LIMIT ${where.place(page.limit)}`,
    where.parameters,
  );
}

/** How many items a filter holds, whatever the page. */
export async function countBacklogItems(tx: Transaction, filter: BacklogFilter): Promise<number> {
  const where = conditionsOf(tx, filter);
  const row = await tx.first<{ total: number }>(
    `SELECT count(*)::int AS total ${OF_WORKSPACE}${where.sql}`,
    where.parameters,
  );
  return row?.total ?? 0;
}

function conditionsOf(tx: Transaction, filter: BacklogFilter): Conditions {
  const where = new Conditions(tx.workspaceId)
    .and((place) => `i.project_id = ${place}`, filter.projectId)
    .and((place) => `i.build_session_id = ${place}`, filter.buildSessionId)
    .and((place) => `i.status = ${place}`, filter.status)
    .and((place) => `i.priority = ${place}`, filter.priority)
    .and((place) => `i.category = ${place}`, filter.category)
    .and((place) => `i.assignee = ${place}`, filter.assignee);
  if (filter.search !== undefined) addSearch(where, 'backlog_item', 'i', filter.search);
  return where;
}
