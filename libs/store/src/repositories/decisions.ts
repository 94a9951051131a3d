import type { DecisionObject } from '@perdure/contracts';
import type { Transaction } from '../transaction.js';
import { ACTOR_JSON } from './build-sessions.js';
import { Conditions } from './conditions.js';

export type ListedDecision = Omit<DecisionObject, 'rationale_markdown'>;

/** Columns of a listed entry; `d`, `a` and `later` as DECISION_FROM names them. */
export const LISTED_DECISION_COLUMNS = `d.id, d.project_id, d.build_session_id, d.backlog_item_id, ${ACTOR_JSON} AS actor, d.title,
  d.decided_on::text AS decided_on, d.changes_public_contract, d.kind, d.tags, d.paths, d.supersedes_decision_id,
  later.id AS superseded_by_decision_id, perdure_instant(d.appended_at) AS appended_at`;

/** An entry is never touched when it is superseded: which one superseded it is read off the later entry. */
export const DECISION_FROM = `
  FROM decision d
  JOIN actor a ON a.workspace_id = d.workspace_id AND a.id = d.actor_id
  LEFT JOIN decision later ON later.workspace_id = d.workspace_id AND later.supersedes_decision_id = d.id`;

const NOT_SUPERSEDED = `NOT EXISTS (SELECT FROM decision x
  WHERE x.workspace_id = d.workspace_id AND x.supersedes_decision_id = d.id)`;

const OF_WORKSPACE = `${DECISION_FROM} WHERE d.workspace_id = $1`;

/** The whole entry, or undefined when this workspace has none of that id. */
export const findDecision = (tx: Transaction, id: string): Promise<DecisionObject | undefined> =>
  tx.first<DecisionObject>(`SELECT ${LISTED_DECISION_COLUMNS}, d.rationale_markdown ${OF_WORKSPACE} AND d.id = $2`, [
    tx.workspaceId,
    id,
  ]);

/** The entry without its rationale. */
export const findListedDecision = (tx: Transaction, id: string): Promise<ListedDecision | undefined> =>
  tx.first<ListedDecision>(`SELECT ${LISTED_DECISION_COLUMNS} ${OF_WORKSPACE} AND d.id = $2`, [tx.workspaceId, id]);

/** Every entry of the correction chain that holds this one, oldest first. */
export const decisionChain = (tx: Transaction, id: string): Promise<DecisionObject[]> =>
  tx.rows<DecisionObject>(
    `WITH RECURSIVE up (id, supersedes) AS (
       SELECT id, supersedes_decision_id FROM decision WHERE workspace_id = $1 AND id = $2
       UNION SELECT e.id, e.supersedes_decision_id FROM decision e JOIN up ON e.workspace_id = $1 AND e.id = up.supersedes
     ), down (id) AS (
       SELECT $2::ulid
       UNION SELECT e.id FROM decision e JOIN down ON e.workspace_id = $1 AND e.supersedes_decision_id = down.id
     )
     SELECT ${LISTED_DECISION_COLUMNS}, d.rationale_markdown ${OF_WORKSPACE} AND d.id IN (SELECT id FROM up UNION SELECT id FROM down)
     ORDER BY d.appended_at, d.id`,
    [tx.workspaceId, id],
  );

/** Whole entries in the order they were appended, a page at a time. */
export function readDecisions(
  tx: Transaction,
  filter: { projectId?: string | undefined; afterId?: string | undefined; limit: number },
): Promise<DecisionObject[]> {
  const where = new Conditions(tx.workspaceId)
    .and((place) => `d.project_id = ${place}`, filter.projectId)
    .and(
      (place) =>
        `(d.appended_at, d.id) > (SELECT appended_at, id FROM decision WHERE workspace_id = $1 AND id = ${place})`,
      filter.afterId,
    );
  const order = ` ORDER BY d.appended_at, d.id LIMIT ${where.place(filter.limit)}`;
  return tx.rows<DecisionObject>(
    `SELECT ${LISTED_DECISION_COLUMNS}, d.rationale_markdown ${OF_WORKSPACE}${where.sql}${order}`,
    where.parameters,
  );
}

export interface DecisionFilter {
  readonly projectId?: string | undefined;
  readonly buildSessionId?: string | undefined;
  readonly kind?: string | undefined;
  readonly changesPublicContract?: boolean | undefined;
  readonly tag?: string | undefined;
  readonly path?: string | undefined;
  readonly decidedFrom?: string | undefined;
  readonly decidedTo?: string | undefined;
  readonly includeSuperseded: boolean;
  readonly after?: { readonly appendedAt: string; readonly id: string } | undefined;
  readonly limit: number;
}

/** Entries without rationale, newest first. */
export function listDecisions(tx: Transaction, filter: DecisionFilter): Promise<ListedDecision[]> {
  const where = conditionsOf(tx, filter).and(
    (at, id) => `(d.appended_at, d.id) < (${at}::timestamptz, ${id})`,
    filter.after?.appendedAt,
    filter.after?.id,
  );
  const order = ` ORDER BY d.appended_at DESC, d.id DESC LIMIT ${where.place(filter.limit)}`;
  return tx.rows<ListedDecision>(
    `SELECT ${LISTED_DECISION_COLUMNS} ${OF_WORKSPACE}${where.sql}${order}`,
    where.parameters,
  );
}

/** How many entries a filter holds, whatever the page. */
export async function countDecisions(
  tx: Transaction,
  filter: Omit<DecisionFilter, 'after' | 'limit'>,
): Promise<number> {
  const where = conditionsOf(tx, filter);
  const row = await tx.first<{ total: number }>(
    `SELECT count(*)::int AS total ${OF_WORKSPACE}${where.sql}`,
    where.parameters,
  );
  return row?.total ?? 0;
}

function conditionsOf(tx: Transaction, filter: Omit<DecisionFilter, 'after' | 'limit'>): Conditions {
  const where = new Conditions(tx.workspaceId);
  // Not `later.id IS NULL`: of an outer join the planner expects one row, and sorts a whole log for a page of it.
  if (!filter.includeSuperseded) where.and(() => NOT_SUPERSEDED);
  return where
    .and((place) => `d.project_id = ${place}`, filter.projectId)
    .and((place) => `d.build_session_id = ${place}`, filter.buildSessionId)
    .and((place) => `d.kind = ${place}`, filter.kind)
    .and((place) => `d.changes_public_contract = ${place}`, filter.changesPublicContract)
    .and((place) => `d.tags @> ARRAY[${place}::text]`, filter.tag)
    .and((place) => `d.paths @> ARRAY[${place}::text]`, filter.path)
    .and((place) => `d.decided_on >= ${place}::date`, filter.decidedFrom)
    .and((place) => `d.decided_on <= ${place}::date`, filter.decidedTo);
}
