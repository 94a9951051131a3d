import type { Pool } from 'pg';
import { eventually } from './eventually.js';

export interface ChainEntry {
  readonly seq: number;
  readonly eventId: string;
  readonly type: string;
  readonly subjectId: string;
}

/** The chain of a workspace as it is stored, in its order. */
export async function chainOf(admin: Pool, workspaceId: string): Promise<ChainEntry[]> {
  const { rows } = await admin.query<ChainEntry>(
    `SELECT e.seq::int AS seq, e.event_id AS "eventId", v.type, v.subject_id AS "subjectId"
     FROM audit_entry e JOIN audit_event v ON v.workspace_id = e.workspace_id AND v.event_id = e.event_id
     WHERE e.workspace_id = $1 ORDER BY e.seq`,
    [workspaceId],
  );
  return rows;
}

/** Waits until nothing of the workspaces is pending. */
export function linked(admin: Pool, workspaceIds: readonly string[]): Promise<void> {
  return eventually(
    'every event is linked',
    async () => (await countOf(admin, 'audit_pending', workspaceIds)) === 0,
    60_000,
  );
}

/** Every event of the workspace stands in its chain once, and the chain has no gap. */
export async function expectGaplessChain(admin: Pool, workspaceId: string): Promise<ChainEntry[]> {
  await linked(admin, [workspaceId]);
  const chain = await chainOf(admin, workspaceId);
  expect(chain.map(({ seq }) => seq)).toEqual(chain.map((_entry, index) => index));
  expect(new Set(chain.map(({ eventId }) => eventId)).size).toBe(chain.length);
  expect(await countOf(admin, 'audit_event', [workspaceId])).toBe(chain.length);
  return chain;
}

type TenantTable =
  | 'audit_event'
  | 'audit_pending'
  | 'audit_entry'
  | 'build_session'
  | 'build_session_pr'
  | 'decision'
  | 'backlog_item'
  | 'rule';

/** How many rows of a table the workspaces have. */
export async function countOf(admin: Pool, table: TenantTable, workspaceIds: readonly string[]): Promise<number> {
  const { rows } = await admin.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM ${table} WHERE workspace_id = ANY($1)`,
    [workspaceIds],
  );
  return rows[0]?.count ?? 0;
}
