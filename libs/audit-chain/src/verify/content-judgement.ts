import { equalBytes, toHex } from '../bytes.js';
import { isCanonicalText, recanonicalized } from '../canonical-form.js';
import { eventDigest, payloadDigest } from '../digests.js';
import { hashesAs } from './entry-judgement.js';
import type { Fault } from './finding.js';
import type { StoredEntry, StoredEvent, StoredPayload } from './stored-entry.js';

/** Judges what an entry stands for: its event against the linked digest, its payload against the event. */
export function judgeContent(workspaceId: string, entry: StoredEntry): Fault[] {
  const { event, seq } = entry;
  if (event === null) {
    return [{ kind: 'event_missing', message: `The event of entry ${seq} is gone, though the entry is still there.` }];
  }
  const eventFault = judgeEvent(workspaceId, entry, event);
  const payloadFault = judgePayload(entry, event);
  return [eventFault, payloadFault].filter((fault) => fault !== undefined);
}

function judgeEvent(workspaceId: string, entry: StoredEntry, event: StoredEvent): Fault | undefined {
  const { seq } = entry;
  if (event.workspace_id !== workspaceId) {
    return {
      kind: 'event_foreign_workspace',
      message: `The event of entry ${seq} belongs to workspace ${event.workspace_id}.`,
    };
  }
  if (event.event_id !== entry.eventId) {
    return {
      kind: 'event_digest_mismatch',
      message: `Entry ${seq} names event ${entry.eventId} but holds event ${event.event_id}.`,
    };
  }
  if (isLinkedEvent(entry, event, event.payload_digest)) return undefined;
  return {
    kind: 'event_digest_mismatch',
    message: `The event of entry ${seq} is not the one that was linked: it was edited or exchanged.`,
  };
}

function judgePayload(entry: StoredEntry, event: StoredEvent): Fault | undefined {
  const { payload, seq } = entry;
  if (payload === 'erased') {
    return { kind: 'payload_erased', message: `The payload of entry ${seq} was erased; its digest still verifies.` };
  }
  if (payload === 'missing') {
    return { kind: 'payload_missing', message: `The payload of entry ${seq} is gone without having been erased.` };
  }
  if (isCovered(entry, event, payload)) {
    return isCanonicalText(payload.canonical) ? undefined : notCanonical(seq);
  }
  const rewritten = recanonicalized(payload.canonical);
  if (rewritten !== undefined && isCovered(entry, event, { salt: payload.salt, canonical: rewritten })) {
    return notCanonical(seq);
  }
  return {
    kind: 'payload_edited',
    message: `The payload of entry ${seq} is not the one that was recorded: its text or its salt was changed.`,
  };
}

/**
 * Whether the payload is the recorded one: by the digest its event holds or, should that field be what was changed, by the
 * digest with which the event would be the linked one again. So an edited digest does not accuse the payload too.
 */
function isCovered(entry: StoredEntry, event: StoredEvent, payload: StoredPayload): boolean {
  const digest = attempt(() => payloadDigest(payload.salt, payload.canonical));
  if (digest === undefined) return false;
  return equalBytes(digest, event.payload_digest) || isLinkedEvent(entry, event, digest);
}

/** The linked event is the one whose digest the entry holds or, should the entry's digest be what was changed, was hashed with. */
function isLinkedEvent(entry: StoredEntry, event: StoredEvent, payloadBytes: Uint8Array): boolean {
  const digest = attempt(() => eventDigest({ ...event, payload_digest: toHex(payloadBytes) }));
  if (digest === undefined) return false;
  return (
    equalBytes(digest, entry.eventDigest) || hashesAs(event.workspace_id, entry.seq, { ...entry, eventDigest: digest })
  );
}

/** Stored data that no digest can be made of was not written by the product: that is a mismatch, not an error of the walk. */
function attempt(digest: () => Uint8Array): Uint8Array | undefined {
  try {
    return digest();
  } catch {
    return undefined;
  }
}

function notCanonical(seq: number): Fault {
  return {
    kind: 'payload_not_canonical',
    message: `The payload of entry ${seq} is not stored in its canonical form: the text was rendered again by something else.`,
  };
}
