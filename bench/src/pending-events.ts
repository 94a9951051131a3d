import { randomBytes } from 'node:crypto';
import { canonicalForm, eventDigest, payloadDigest, toHex } from '@perdure/audit-chain';
import type { Client } from 'pg';
import { monotonicFactory } from 'ulid';
import type { Agent } from './installation.js';

/** Parameters of one statement stay well below the 1 GB a message may have. */
const ROWS_PER_STATEMENT = 2_000;

const INSERT = `
  WITH given AS (
    SELECT * FROM unnest($3::text[], $4::text[], $5::text[], $6::bytea[], $7::bytea[], $8::bytea[], $9::text[])
      AS g (event_id, at, subject_id, payload_digest, event_digest, salt, payload)
  ), event AS (
    INSERT INTO audit_event (workspace_id, event_id, v, type, at, actor_ref, subject_type, subject_id, payload_digest, event_digest)
    SELECT $1, event_id, 1, 'decision.appended', at, $2, 'decision', subject_id, payload_digest, event_digest FROM given
  ), payload AS (
    INSERT INTO audit_payload (workspace_id, event_id, salt, payload) SELECT $1, event_id, salt, payload FROM given
  )
  INSERT INTO audit_pending (workspace_id, event_id) SELECT $1, event_id FROM given`;

/** Stores events as `append_decision_log` leaves them, thousands to a statement: one by one would take minutes. */
export async function storePendingEvents(client: Client, { caller, projectId, sessionId }: Agent, count: number) {
  const nextId = monotonicFactory();
  for (let stored = 0; stored < count; stored += ROWS_PER_STATEMENT) {
    const rows = Array.from({ length: Math.min(ROWS_PER_STATEMENT, count - stored) }, () =>
      newEvent(nextId(), { workspaceId: caller.workspaceId, actorId: caller.actor.id, projectId, sessionId }),
    );
    await client.query(INSERT, [
      caller.workspaceId,
      caller.actor.id,
      rows.map((row) => row.eventId),
      rows.map((row) => row.at),
      rows.map((row) => row.eventId),
      rows.map((row) => row.payloadDigest),
      rows.map((row) => row.digest),
      rows.map((row) => row.salt),
      rows.map((row) => row.payload),
    ]);
  }
}

interface EventOf {
  readonly workspaceId: string;
  readonly actorId: string;
  readonly projectId: string;
  readonly sessionId: string;
}

function newEvent(eventId: string, { workspaceId, actorId, projectId, sessionId }: EventOf) {
  const at = new Date().toISOString();
  const salt = randomBytes(16);
  const payload = canonicalForm({
    project_id: projectId,
    build_session_id: sessionId,
    title: 'Keep the lock on the row from read to commit',
    decided_on: '2026-01-15',
    changes_public_contract: false,
    kind: 'decision',
  });
  const digestOfPayload = payloadDigest(salt, payload);
  const digest = eventDigest({
    v: 1,
    event_id: eventId,
    workspace_id: workspaceId,
    type: 'decision.appended',
    at,
    actor_ref: actorId,
    subject_type: 'decision',
    subject_id: eventId,
    payload_digest: toHex(digestOfPayload),
  });
  return { eventId, at, salt, payload, payloadDigest: Buffer.from(digestOfPayload), digest: Buffer.from(digest) };
}
