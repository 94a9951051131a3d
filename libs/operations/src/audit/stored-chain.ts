import type { StoredEntry } from '@perdure/audit-chain';
import type { Transaction } from '@perdure/store';

/** Entries read at once: about 1 MB of rows. */
const PAGE = 1_000;

interface StoredRow {
  readonly seq: number;
  readonly event_id: string;
  readonly event_digest: Buffer;
  readonly prev_hash: Buffer;
  readonly entry_hash: Buffer;
  readonly linked_at: string;
  readonly v: number | null;
  readonly event_workspace_id: string | null;
  readonly type: string | null;
  readonly at: string | null;
  readonly actor_ref: string | null;
  readonly subject_type: string | null;
  readonly subject_id: string | null;
  readonly payload_digest: Buffer | null;
  readonly has_payload: boolean;
  readonly salt: Buffer | null;
  readonly payload: string | null;
}

/** The chain's entries from `fromSeq` up to, not including, `size`, with event and payload, in order. */
export async function* storedEntries(tx: Transaction, fromSeq: number, size: number): AsyncGenerator<StoredEntry> {
  let next = fromSeq;
  while (next < size) {
    const rows = await tx.rows<StoredRow>(
      `SELECT n.seq::float8 AS seq, n.event_id, n.event_digest, n.prev_hash, n.entry_hash, n.linked_at,
         e.v, e.workspace_id AS event_workspace_id, e.type, e.at, e.actor_ref, e.subject_type, e.subject_id, e.payload_digest,
         d.event_id IS NOT NULL AS has_payload, d.salt, d.payload
       FROM audit_entry n
       LEFT JOIN audit_event e ON e.workspace_id = n.workspace_id AND e.event_id = n.event_id
       LEFT JOIN audit_payload d ON d.workspace_id = n.workspace_id AND d.event_id = n.event_id
       WHERE n.workspace_id = $1 AND n.seq >= $2 AND n.seq < $3 ORDER BY n.seq LIMIT ${PAGE}`,
      [tx.workspaceId, next, size],
    );
    for (const row of rows) yield toStoredEntry(row);
    const last = rows.at(-1);
    if (last === undefined) return;
    next = last.seq + 1;
  }
}

function toStoredEntry(row: StoredRow): StoredEntry {
  return {
    seq: row.seq,
    eventId: row.event_id,
    eventDigest: row.event_digest,
    prevHash: row.prev_hash,
    entryHash: row.entry_hash,
    linkedAt: row.linked_at,
    event: toStoredEvent(row),
    payload: toStoredPayload(row),
  };
}

/** The verifier says what is wrong with a version or field that is not what it should be; null means no event at all. */
function toStoredEvent(row: StoredRow): StoredEntry['event'] {
  if (row.event_workspace_id === null || row.payload_digest === null) return null;
  return {
    v: row.v as 1, // another number is a finding: the digest does not match
    event_id: row.event_id,
    workspace_id: row.event_workspace_id,
    type: row.type ?? '',
    at: row.at ?? '',
    actor_ref: row.actor_ref ?? '',
    subject_type: row.subject_type ?? '',
    subject_id: row.subject_id ?? '',
    payload_digest: row.payload_digest,
  };
}

function toStoredPayload({ has_payload, salt, payload }: StoredRow): StoredEntry['payload'] {
  if (!has_payload) return 'missing';
  return salt === null || payload === null ? 'erased' : { salt, canonical: payload };
}
