import { eventDigest, payloadDigest, toHex } from '@perdure/audit-chain';
import type { PendingEvent, StoredEvent } from './pending-events.js';

/** Why an event is not linked. Part of the quarantine table, so a reason once used stays. */
export type QuarantineReason =
  | 'event_missing'
  | 'payload_missing'
  | 'unknown_version'
  | 'payload_digest_mismatch'
  | 'event_digest_mismatch'
  | 'not_canonical';

/**
 * Derives both digests again from what is stored. Null when they are the ones that were committed with the row;
 * else the event was changed between its commit and now, and linking it would vouch for the change.
 */
export function checkEvent(pending: PendingEvent): QuarantineReason | null {
  const { event, payload } = pending;
  if (!event) return 'event_missing';
  if (event.v !== 1) return 'unknown_version';
  // Erasing before linking is refused by the operations, so an absent payload was removed around them.
  if (!payload) return 'payload_missing';
  try {
    if (!event.payload_digest.equals(payloadDigest(payload.salt, payload.text))) return 'payload_digest_mismatch';
    return event.event_digest.equals(digestOf(pending, event)) ? null : 'event_digest_mismatch';
  } catch {
    // The digests refuse what has no canonical form: no writer of ours can have stored it.
    return 'not_canonical';
  }
}

function digestOf({ workspace_id, event_id }: PendingEvent, event: StoredEvent): Uint8Array {
  return eventDigest({
    v: 1,
    event_id,
    workspace_id,
    type: event.type,
    at: event.at,
    actor_ref: event.actor_ref,
    subject_type: event.subject_type,
    subject_id: event.subject_id,
    payload_digest: toHex(event.payload_digest),
  });
}
