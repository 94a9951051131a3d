import type { PoolClient } from 'pg';

/** An event that waits, with everything its digests are made of. The right-hand side of a LEFT JOIN can be absent. */
export interface PendingEvent {
  workspace_id: string;
  /** Place in the pending set, as text: a bigint. */
  id: string;
  event_id: string;
  already_linked: boolean;
  event: StoredEvent | null;
  payload: { salt: Buffer; text: string } | null;
}

export interface StoredEvent {
  v: number;
  type: string;
  at: string;
  actor_ref: string;
  subject_type: string;
  subject_id: string;
  payload_digest: Buffer;
  event_digest: Buffer;
}

/** One jump of the index per workspace, not a scan of its events: `distinct` over a backlog of a million reads them all. */
const WAITING_WORKSPACES = `
  WITH RECURSIVE waiting AS (
    (SELECT workspace_id FROM audit_pending WHERE workspace_id > $1::text ORDER BY workspace_id LIMIT 1)
    UNION ALL
    SELECT (SELECT p.workspace_id FROM audit_pending p WHERE p.workspace_id > w.workspace_id ORDER BY p.workspace_id LIMIT 1)
    FROM waiting w WHERE w.workspace_id IS NOT NULL
  )
  SELECT workspace_id FROM waiting WHERE workspace_id IS NOT NULL LIMIT $2`;

/**
 * Workspaces with waiting events, at most `limit`, in order of their ids from behind `after` on and then from the
 * start: a caller that hands in the last one it got serves all in turn, however many there are.
 */
export async function findWaitingWorkspaces(client: PoolClient, after: string, limit: number): Promise<string[]> {
  const from = async (start: string) => {
    const { rows } = await client.query<{ workspace_id: string }>(WAITING_WORKSPACES, [start, limit]);
    return rows.map((row) => row.workspace_id);
  };
  const behind = await from(after);
  if (after === '' || behind.length === limit) return behind;
  const before = (await from('')).filter((workspaceId) => workspaceId <= after);
  return [...behind, ...before].slice(0, limit);
}

/** In the order in which they are to be linked. LEFT JOINs, so that an event whose rows were removed is seen, not skipped. */
const PENDING_EVENTS = `
  SELECT p.workspace_id, p.id, p.event_id, n.event_id IS NOT NULL AS already_linked,
    e.v, e.type, e.at, e.actor_ref, e.subject_type, e.subject_id, e.payload_digest, e.event_digest, d.salt, d.payload
  FROM unnest($1::text[]) AS w (workspace_id)
  CROSS JOIN LATERAL (
    SELECT q.workspace_id, q.id, q.event_id FROM audit_pending q
    WHERE q.workspace_id = w.workspace_id ORDER BY q.id LIMIT $2
  ) p
  LEFT JOIN audit_event e ON e.workspace_id = p.workspace_id AND e.event_id = p.event_id
  LEFT JOIN audit_payload d ON d.workspace_id = p.workspace_id AND d.event_id = p.event_id
  LEFT JOIN audit_entry n ON n.workspace_id = p.workspace_id AND n.event_id = p.event_id
  ORDER BY p.workspace_id, p.id`;

type PendingRow = { workspace_id: string; id: string; event_id: string; already_linked: boolean } & {
  [Column in keyof StoredEvent]: StoredEvent[Column] | null;
} & { salt: Buffer | null; payload: string | null };

/** The waiting events of workspaces whose heads the caller has locked, an equal share of `limit` for each. */
export async function readPendingEvents(
  client: PoolClient,
  workspaceIds: readonly string[],
  limit: number,
): Promise<PendingEvent[]> {
  const share = Math.ceil(limit / Math.max(1, workspaceIds.length));
  const { rows } = await client.query<PendingRow>(PENDING_EVENTS, [workspaceIds, share]);
  return rows.map(({ salt, payload, workspace_id, id, event_id, already_linked, ...columns }) => ({
    workspace_id,
    id,
    event_id,
    already_linked,
    event: isStored(columns) ? columns : null,
    payload: salt === null || payload === null ? null : { salt, text: payload },
  }));
}

function isStored(columns: { [Column in keyof StoredEvent]: StoredEvent[Column] | null }): columns is StoredEvent {
  return Object.values(columns).every((value) => value !== null);
}
