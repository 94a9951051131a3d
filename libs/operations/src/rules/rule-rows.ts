import { DomainError, type RuleObject } from '@perdure/contracts';
import { addSearch, Conditions, type Transaction } from '@perdure/store';

const LISTED_COLUMNS = `r.id, r.project_id, r.title, r.triggers, r.always, r.severity, r.status, r.revision,
  perdure_instant(r.created_at) AS created_at, perdure_instant(r.revised_at) AS revised_at`;

export type ListedRule = Omit<RuleObject, 'body_markdown'>;

/** @throws DomainError `not_found`, the same for an unknown rule and for another workspace's */
export async function requireRule(tx: Transaction, id: string, lock = false): Promise<RuleObject> {
  const rule = await tx.first<RuleObject>(
    `SELECT ${LISTED_COLUMNS}, r.body_markdown FROM rule r WHERE r.workspace_id = $1 AND r.id = $2
     ${lock ? 'FOR NO KEY UPDATE' : ''}`,
    [tx.workspaceId, id],
  );
  if (rule === undefined) throw new DomainError('not_found', 'There is no such rule in this workspace.');
  return rule;
}

/** Active rules of the workspace, and of one project where one is named, oldest first. */
export function activeRules(tx: Transaction, projectId?: string): Promise<RuleObject[]> {
  const where = new Conditions(tx.workspaceId).and(
    (place) => `(r.project_id IS NULL OR r.project_id = ${place})`,
    projectId,
  );
  return tx.rows<RuleObject>(
    `SELECT ${LISTED_COLUMNS}, r.body_markdown FROM rule r
     WHERE r.workspace_id = $1 AND r.status = 'active'${where.sql} ORDER BY r.created_at, r.id`,
    where.parameters,
  );
}

export interface RuleFilter {
  readonly projectId?: string | undefined;
  readonly status?: string | undefined;
  readonly search?: string | undefined;
}

/** Rules without their texts, newest first. */
export function listRules(
  tx: Transaction,
  filter: RuleFilter,
  page: { after?: { createdAt: string; id: string } | undefined; limit: number },
): Promise<ListedRule[]> {
  const where = new Conditions(tx.workspaceId)
    .and((place) => `(r.project_id IS NULL OR r.project_id = ${place})`, filter.projectId)
    .and((place) => `r.status = ${place}`, filter.status)
    .and((at, id) => `(r.created_at, r.id) < (${at}::timestamptz, ${id})`, page.after?.createdAt, page.after?.id);
  if (filter.search !== undefined) addSearch(where, 'rule', 'r', filter.search);
  return tx.rows<ListedRule>(
    `SELECT ${LISTED_COLUMNS} FROM rule r WHERE r.workspace_id = $1${where.sql}
     ORDER BY r.created_at DESC, r.id DESC LIMIT ${where.place(page.limit)}`,
    where.parameters,
  );
}
