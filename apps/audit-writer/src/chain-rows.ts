import { emptyHead, type ChainEntry, type ChainHead } from '@perdure/audit-chain';
import type { PoolClient } from 'pg';
import type { QuarantineReason } from './check-event.js';

export interface PendingKey {
  workspace_id: string;
  id: string;
}

export interface QuarantinedEvent {
  workspace_id: string;
  event_id: string;
  reason: QuarantineReason;
}

/**
 * Makes the heads that do not exist yet. Committed by itself, before the batch: inside of it, another writer that
 * meets the same new workspace would wait for the whole batch at ON CONFLICT.
 */
export async function createMissingHeads(client: PoolClient, workspaceIds: readonly string[]): Promise<void> {
  const { rows } = await client.query<{ workspace_id: string }>(
    `SELECT workspace_id FROM unnest($1::text[]) AS w (workspace_id)
     WHERE NOT EXISTS (SELECT FROM audit_head h WHERE h.workspace_id = w.workspace_id)`,
    [workspaceIds],
  );
  if (rows.length === 0) return;
  const heads = rows.map((row) => emptyHead(row.workspace_id));
  await client.query(
    `INSERT INTO audit_head (workspace_id, size, head_hash, linked_at)
     SELECT workspace_id, 0, head_hash, linked_at FROM unnest($1::text[], $2::bytea[], $3::text[]) AS n (workspace_id, head_hash, linked_at)
     ORDER BY workspace_id ON CONFLICT DO NOTHING`,
    [heads.map((head) => head.workspaceId), heads.map((head) => head.headHash), heads.map((head) => head.linkedAt)],
  );
}

/**
 * Locks the heads that no other writer holds. In READ COMMITTED the next statement sees what is committed by then, so
 * a reader behind this lock sees the chain as it is. The order of the ids keeps two writers from locking crosswise.
 */
export async function lockHeads(client: PoolClient, workspaceIds: readonly string[]): Promise<ChainHead[]> {
  const { rows } = await client.query<{ workspace_id: string; size: string; head_hash: Buffer; linked_at: string }>(
    `SELECT workspace_id, size, head_hash, linked_at FROM audit_head
     WHERE workspace_id = ANY ($1::text[]) ORDER BY workspace_id FOR UPDATE SKIP LOCKED`,
    [workspaceIds],
  );
  return rows.map((row) => ({
    workspaceId: row.workspace_id,
    size: Number(row.size),
    headHash: row.head_hash,
    linkedAt: row.linked_at,
  }));
}

/** Inserts entries of any number of workspaces in one statement. UNIQUE and PRIMARY KEY refuse a second linking. */
export async function insertEntries(
  client: PoolClient,
  entries: readonly (ChainEntry & { workspaceId: string })[],
): Promise<void> {
  await client.query(
    `INSERT INTO audit_entry (workspace_id, seq, event_id, event_digest, prev_hash, entry_hash, linked_at)
     SELECT * FROM unnest($1::text[], $2::bigint[], $3::text[], $4::bytea[], $5::bytea[], $6::bytea[], $7::text[])`,
    [
      entries.map((entry) => entry.workspaceId),
      entries.map((entry) => entry.seq),
      entries.map((entry) => entry.eventId),
      entries.map((entry) => entry.eventDigest),
      entries.map((entry) => entry.prevHash),
      entries.map((entry) => entry.entryHash),
      entries.map((entry) => entry.linkedAt),
    ],
  );
}

export async function moveHeads(client: PoolClient, heads: readonly ChainHead[]): Promise<void> {
  await client.query(
    `UPDATE audit_head h SET size = n.size, head_hash = n.head_hash, linked_at = n.linked_at, updated_at = clock_timestamp()
     FROM unnest($1::text[], $2::bigint[], $3::bytea[], $4::text[]) AS n (workspace_id, size, head_hash, linked_at)
     WHERE h.workspace_id = n.workspace_id`,
    [
      heads.map((head) => head.workspaceId),
      heads.map((head) => head.size),
      heads.map((head) => head.headHash),
      heads.map((head) => head.linkedAt),
    ],
  );
}

export async function insertQuarantined(client: PoolClient, events: readonly QuarantinedEvent[]): Promise<void> {
  await client.query(
    `INSERT INTO audit_quarantine (workspace_id, event_id, reason)
     SELECT * FROM unnest($1::text[], $2::text[], $3::text[]) ON CONFLICT DO NOTHING`,
    [
      events.map((event) => event.workspace_id),
      events.map((event) => event.event_id),
      events.map((event) => event.reason),
    ],
  );
}

/** Somebody works on the pending set without holding the head's lock. */
export class PendingSetError extends Error {
  constructor(read: number, deleted: number) {
    super(`${read} pending rows were read, ${deleted} could be deleted`);
    this.name = 'PendingSetError';
  }
}

/** Throws a PendingSetError when one of the rows was gone already. */
export async function deletePending(client: PoolClient, keys: readonly PendingKey[]): Promise<void> {
  const { rowCount } = await client.query(
    `DELETE FROM audit_pending p USING unnest($1::text[], $2::bigint[]) AS d (workspace_id, id)
     WHERE p.workspace_id = d.workspace_id AND p.id = d.id`,
    [keys.map((key) => key.workspace_id), keys.map((key) => key.id)],
  );
  if (rowCount !== keys.length) throw new PendingSetError(keys.length, rowCount ?? 0);
}
