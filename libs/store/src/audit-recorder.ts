import { randomBytes } from 'node:crypto';
import { canonicalForm, eventDigest, payloadDigest, toHex } from '@perdure/audit-chain';
import { type AuditedEventName, EVENT_TYPES, type SubjectType } from '@perdure/contracts';
import type { Transaction } from './transaction.js';

/** An event ready to be recorded. `payload` holds ids, states and short fields; of long texts only a digest. */
export interface AuditRecord {
  readonly eventId: string;
  readonly type: AuditedEventName;
  readonly at: string;
  readonly actorId: string;
  readonly subjectId: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** An event with its digests and its salted, erasable payload, as the tables hold it. */
export interface SealedEvent extends Omit<AuditRecord, 'payload'> {
  readonly subjectType: SubjectType;
  readonly payload: string;
  readonly salt: Buffer;
  readonly payloadDigest: Uint8Array;
  readonly eventDigest: Uint8Array;
}

/** Computes what stands in the chain for an event of that workspace (DESIGN §6). */
export function sealEvent(workspaceId: string, record: AuditRecord): SealedEvent {
  const subjectType = EVENT_TYPES[record.type].subject;
  const salt = randomBytes(16);
  const payload = canonicalForm(record.payload);
  const digestOfPayload = payloadDigest(salt, payload);
  const digest = eventDigest({
    v: 1,
    event_id: record.eventId,
    workspace_id: workspaceId,
    type: record.type,
    at: record.at,
    actor_ref: record.actorId,
    subject_type: subjectType,
    subject_id: record.subjectId,
    payload_digest: toHex(digestOfPayload),
  });
  return { ...record, subjectType, payload, salt, payloadDigest: digestOfPayload, eventDigest: digest };
}

/**
 * Records one event with its digests, payload and place in the pending set, in one statement of the caller's
 * transaction: either all of it commits with the row it is about, or nothing (A2). It is sent, not waited for: the commit
 * that follows fails with it.
 */
export function recordAuditEvent(tx: Transaction, record: AuditRecord): void {
  const sealed = sealEvent(tx.workspaceId, record);
  tx.send(
    `WITH event AS (
       INSERT INTO audit_event (workspace_id, event_id, v, type, at, actor_ref, subject_type, subject_id, payload_digest, event_digest)
       VALUES ($1, $2, 1, $3, $4, $5, $6, $7, $8, $9)
     ), payload AS (
       INSERT INTO audit_payload (workspace_id, event_id, salt, payload) VALUES ($1, $2, $10, $11)
     ), change AS (
       INSERT INTO transition (workspace_id, audit_event_id, subject_type, subject_id, type, actor_id, at)
       SELECT $1, $2, $6, $7, $3, $5, $4::timestamptz WHERE $12
     )
     INSERT INTO audit_pending (workspace_id, event_id) VALUES ($1, $2)`,
    [
      tx.workspaceId,
      record.eventId,
      record.type,
      record.at,
      record.actorId,
      sealed.subjectType,
      record.subjectId,
      sealed.payloadDigest,
      sealed.eventDigest,
      sealed.salt,
      sealed.payload,
      EVENT_TYPES[record.type].heldBy === 'transition',
    ],
  );
}
