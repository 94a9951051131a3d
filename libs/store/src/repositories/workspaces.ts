import type { ListedWorkspaceObject, WorkspaceObject } from '@perdure/contracts';
import type { DataSource } from 'typeorm';
import type { SqlValue, Transaction } from '../transaction.js';

/** `workspace` as the platform shows it; bigint is a safe integer there and arrives as text otherwise. */
const COLUMNS = `w.workspace_id AS id, w.slug, w.name, w.status, perdure_instant(w.created_at) AS created_at,
  perdure_instant(w.delete_after) AS delete_after, json_build_object(
    'requests_per_minute', w.quota_requests_per_minute,
    'stored_bytes', w.quota_stored_bytes,
    'build_sessions', w.quota_build_sessions,
    'usage_reports_per_day', w.quota_usage_reports_per_day) AS quota`;

/**
 * A workspace of a tenant by id or slug. The function it asks answers transactions of the installation's own workspace
 * only: row-level security hides every other one from all others.
 */
export const findWorkspace = (tx: Transaction, reference: string): Promise<WorkspaceObject | undefined> =>
  tx.first<WorkspaceObject>(`SELECT ${COLUMNS} FROM perdure_workspaces() w WHERE w.workspace_id = $1 OR w.slug = $1`, [
    reference,
  ]);

/** The transaction's own workspace, held until the commit. */
export const lockOwnWorkspace = (tx: Transaction): Promise<WorkspaceObject | undefined> =>
  tx.first<WorkspaceObject>(`SELECT ${COLUMNS} FROM workspace w WHERE w.workspace_id = $1 FOR NO KEY UPDATE`, [
    tx.workspaceId,
  ]);

interface WorkspaceFilter {
  readonly search: string | undefined;
  readonly status: WorkspaceObject['status'] | undefined;
  readonly after: { readonly name: string; readonly id: string } | null;
  readonly limit: number;
}

/** By name. */
export function listWorkspaces(tx: Transaction, filter: WorkspaceFilter): Promise<WorkspaceObject[]> {
  const parameters: SqlValue[] = [
    filter.search ?? null,
    filter.status ?? null,
    filter.after?.name ?? null,
    filter.after?.id ?? null,
    filter.limit,
  ];
  // strpos: % and _ of the caller are text, not wildcards.
  return tx.rows<WorkspaceObject>(
    `SELECT ${COLUMNS} FROM perdure_workspaces() w
     WHERE ($1::text IS NULL OR strpos(lower(w.name), lower($1)) > 0 OR strpos(w.slug, lower($1)) > 0)
       AND ($2::text IS NULL OR w.status = $2)
       AND ($3::text IS NULL OR (w.name, w.workspace_id) > ($3, $4))
     ORDER BY w.name, w.workspace_id LIMIT $5`,
    parameters,
  );
}

/** How much there is in the transaction's own workspace. */
export async function countOwnRows(tx: Transaction): Promise<ListedWorkspaceObject['counts']> {
  const rows = (table: string, condition = 'true') =>
    `(SELECT count(*)::int FROM ${table} WHERE workspace_id = $1 AND ${condition})`;
  const counts = await tx.first<ListedWorkspaceObject['counts']>(
    `SELECT ${rows('project')} AS projects, ${rows('build_session')} AS build_sessions,
       ${rows('build_session', "status = 'active'")} AS active_build_sessions, ${rows('decision')} AS decisions,
       ${rows('backlog_item')} AS backlog_items, ${rows('rule')} AS rules,
       ${rows('member', "status <> 'removed'")} AS members, ${rows('credential', 'revoked_at IS NULL')} AS credentials,
       (SELECT coalesce(stored_bytes, 0)::float8 FROM workspace WHERE workspace_id = $1) AS stored_bytes`,
    [tx.workspaceId],
  );
  if (counts === undefined) throw new Error('a SELECT without FROM gave no row');
  return counts;
}

/** The id of a tenant's workspace by id or slug, over a connection as `perdure_owner`: any other role sees none. */
export async function findWorkspaceAsOwner(dataSource: DataSource, reference: string): Promise<string | undefined> {
  const rows: { id: string }[] = await dataSource.query(
    `SELECT workspace_id AS id FROM workspace WHERE kind = 'tenant' AND (workspace_id = $1 OR slug = $1)`,
    [reference],
  );
  return rows[0]?.id;
}
