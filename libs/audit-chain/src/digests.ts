import { canonicalForm } from './canonical-form.js';
import { Preimage } from './preimage.js';

export const DIGEST_BYTES = 32;
const SALT_BYTES = 16;

// An ASCII label ended by NUL opens every preimage: no digest can be read as one of another kind, and a later form of the
// format can continue the same chain under a label of its own.
const PAYLOAD_LABEL = label('perdure.audit/payload/v1');
const EVENT_LABEL = label('perdure.audit/event/v1');
const GENESIS_LABEL = label('perdure.audit/genesis/v1');
const ENTRY_LABEL = label('perdure.audit/entry/v1');

/** Shared: every digest is begun and finished within one call. */
const preimage = new Preimage();

const DIGEST_HEX = /^[0-9a-f]{64}$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** The fields of an audit event that its digest covers. Personal data belongs in the payload, never here: this cannot be erased. */
export interface AuditEventFields {
  v: 1;
  event_id: string;
  workspace_id: string;
  type: string;
  /** RFC 3339 UTC with three fraction digits, exactly as stored. */
  at: string;
  actor_ref: string;
  subject_type: string;
  subject_id: string;
  /** Lower-case hex, 64 digits. */
  payload_digest: string;
}

/** What an entry's hash covers. Hashes are 32 bytes. */
export interface EntryHashInput {
  workspaceId: string;
  seq: number;
  prevHash: Uint8Array;
  eventDigest: Uint8Array;
  linkedAt: string;
}

/** Whether the text is an instant as the chain stores them: RFC 3339 UTC, three fraction digits, as `Date#toISOString` prints. */
export function isInstant(text: string): boolean {
  return INSTANT.test(text);
}

/**
 * Digest of a payload's canonical text under its salt (16 random bytes). Salt and text are erased together; without the salt
 * nobody can confirm a guess of the text.
 * @throws TypeError when the salt is not 16 bytes or the text has no UTF-8 form.
 */
export function payloadDigest(salt: Uint8Array, payloadCanonical: string): Uint8Array {
  if (salt.length !== SALT_BYTES) throw new TypeError(`a payload salt has ${SALT_BYTES} bytes, not ${salt.length}`);
  return preimage.begin(PAYLOAD_LABEL).prefixedBytes(salt).prefixedText(payloadCanonical).sha256();
}

/**
 * Digest of an event, made in the transaction of the row it records. Other properties of the argument are not covered.
 * @throws TypeError when `payload_digest` is not 64 lower-case hex digits; CanonicalFormError when a field has no canonical form.
 */
export function eventDigest(event: AuditEventFields): Uint8Array {
  if (!DIGEST_HEX.test(event.payload_digest)) throw new TypeError('payload_digest must be 64 lower-case hex digits');
  const text = canonicalForm({
    v: event.v,
    event_id: event.event_id,
    workspace_id: event.workspace_id,
    type: event.type,
    at: event.at,
    actor_ref: event.actor_ref,
    subject_type: event.subject_type,
    subject_id: event.subject_id,
    payload_digest: event.payload_digest,
  });
  return preimage.begin(EVENT_LABEL).text(text).sha256();
}

/** What entry 0 follows. It holds the workspace, so the chains of two workspaces differ from their first entry on. */
export function genesisHash(workspaceId: string): Uint8Array {
  return preimage.begin(GENESIS_LABEL).text(workspaceId).sha256();
}

/**
 * Hash of one entry over its place, its predecessor and its event.
 * @throws TypeError when `seq` is not a safe integer ≥ 0, a hash is not 32 bytes or `linkedAt` is no instant.
 */
export function entryHash(entry: EntryHashInput): Uint8Array {
  if (!Number.isSafeInteger(entry.seq) || entry.seq < 0) throw new TypeError('seq must be a safe integer from 0');
  assertDigest(entry.prevHash, 'prevHash');
  assertDigest(entry.eventDigest, 'eventDigest');
  if (!isInstant(entry.linkedAt)) throw new TypeError('linkedAt must be RFC 3339 UTC with three fraction digits');
  return preimage
    .begin(ENTRY_LABEL)
    .prefixedText(entry.workspaceId)
    .u64(entry.seq)
    .bytes(entry.prevHash)
    .bytes(entry.eventDigest)
    .prefixedText(entry.linkedAt)
    .sha256();
}

/** @throws TypeError when the bytes are not a SHA-256 digest: a hash of another length could shift the fields behind it. */
export function assertDigest(bytes: Uint8Array, name: string): void {
  if (bytes.length !== DIGEST_BYTES) throw new TypeError(`${name} must be ${DIGEST_BYTES} bytes, not ${bytes.length}`);
}

function label(name: string): Uint8Array {
  return new TextEncoder().encode(`${name}\0`);
}
