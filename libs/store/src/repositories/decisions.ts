import type { DecisionObject } from '@perdure/contracts';
import type { Transaction } from '../transaction.js';
import { ACTOR_JSON } from './build-sessions.js';
import { Conditions } from './conditions.js';

export type ListedDecision = Omit<DecisionObject, 'rationale_markdown'>;

const LISTED_COLUMNS = `d.id, d.project_id, d.build_session_id, d.backlog_item_id, ${ACTOR_JSON} AS actor, d.title,
  d.decided_on::text AS decided_on, d.changes_public_contract, d.kind, d.tags, d.paths, d.supersedes_decision_id,
  later.id AS superseded_by_decision_id, perdure_instant(d.appended_at) AS appended_at`;

/** An entry is never touched when it is superseded: which one superseded it is read off the later entry. */
const FROM = `
  FROM decision d
  JOIN actor a ON a.workspace_id = d.workspace_id AND a.id = d.actor_id
  LEFT JOIN decision later ON later.workspace_id = d.workspace_id AND later.supersedes_decision_id = d.id
  WHERE d.workspace_id = $1`;

/** The whole entry, or undefined when this workspace has none of that id. */
export const findDecision = (tx: Transaction, id: string): Promise<DecisionObject | undefined> =>
  tx.first<DecisionObject>(`SELECT ${LISTED_COLUMNS}, d.rationale_markdown ${FROM} AND d.id = $2`, [
    tx.workspaceId,
    id,
  ]);

/** The entry without its rationale. */
export const findListedDecision = (tx: Transaction, id: string): Promise<ListedDecision | undefined> =>
  tx.first<ListedDecision>(`SELECT ${LISTED_COLUMNS} ${FROM} AND d.id = $2`, [tx.workspaceId, id]);

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
  return tx.rows<ListedDecision>(`SELECT ${LISTED_COLUMNS} ${FROM}${where.sql}${order}`, where.parameters);
}

/** How many entries a filter holds, whatever the page. */
export async function countDecisions(
  tx: Transaction,
  filter: Omit<DecisionFilter, 'after' | 'limit'>,
): Promise<number> {
  const where = conditionsOf(tx, filter);
  const row = await tx.first<{ total: number }>(`SELECT count(*)::int AS total ${FROM}${where.sql}`, where.parameters);
  return row?.total ?? 0;
}

function conditionsOf(tx: Transaction, filter: Omit<DecisionFilter, 'after' | 'limit'>): Conditions {
  const where = new Conditions(tx.workspaceId);
  if (!filter.includeSuperseded) where.and(() => 'later.id IS NULL');
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
