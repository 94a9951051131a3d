import { fromHex, toHex } from '../bytes.js';
import { canonicalForm } from '../canonical-form.js';
import { emptyHead, linkEvents, type ChainHead } from '../chain.js';
import { eventDigest, payloadDigest } from '../digests.js';
import { ChainVerifier, type VerifyResult } from '../verify/chain-verifier.js';
import type { StoredEntry, StoredEvent } from '../verify/stored-entry.js';

export const WORKSPACE = '01KB0000000000000000000001';
export const OTHER_WORKSPACE = '01KB0000000000000000000002';

/** A chain as a database would hold it, open to be tampered with. */
export interface SampleChain {
  workspaceId: string;
  entries: StoredEntry[];
  head: { size: number; headHash: Uint8Array } | null;
}

/** A sound chain: one event a second, each linked a second after it happened, in its own batch. */
export function sampleChain(workspaceId: string, count: number): SampleChain {
  let head = emptyHead(workspaceId);
  const entries: StoredEntry[] = [];
  for (let n = 0; n < count; n += 1) {
    const { event, payload } = sampleEvent(workspaceId, n);
    const linked = linkEvents(head, [{ eventId: event.event_id, eventDigest: digestOf(event) }], instant(n + 1));
    head = linked.head;
    entries.push(...linked.entries.map((entry) => ({ ...entry, event, payload })));
  }
  return { workspaceId, entries, head };
}

export function sampleEvent(workspaceId: string, n: number) {
  const canonical = canonicalForm({ title: `decision ${n}`, n });
  const salt = Uint8Array.from({ length: 16 }, (_, index) => (n * 7 + index) % 256);
  const event: StoredEvent = {
    v: 1,
    event_id: `01KBE${workspaceId.slice(-1)}${String(n).padStart(20, '0')}`,
    workspace_id: workspaceId,
    type: 'decision.appended',
    at: instant(n),
    actor_ref: '01KB000000000000000000000Z',
    subject_type: 'decision',
    subject_id: `01KBD${String(n).padStart(21, '0')}`,
    payload_digest: payloadDigest(salt, canonical),
  };
  return { event, payload: { salt, canonical } };
}

export function digestOf(event: StoredEvent): Uint8Array {
  return eventDigest({ ...event, payload_digest: toHex(event.payload_digest) });
}

/** What one who can write everything would do after an edit: link all entries from `seq` on again and set the head. */
export function relink(chain: SampleChain, seq: number, lastSeq = chain.entries.length - 1): void {
  const before = chain.entries[seq - 1];
  let head: ChainHead = before
    ? { workspaceId: chain.workspaceId, size: seq, headHash: before.entryHash, linkedAt: before.linkedAt }
    : emptyHead(chain.workspaceId);
  for (let place = seq; place <= lastSeq; place += 1) {
    const entry = entryAt(chain, place);
    const digest = entry.event ? digestOf(entry.event) : entry.eventDigest;
    const linked = linkEvents(
      { ...head, linkedAt: '' },
      [{ eventId: entry.eventId, eventDigest: digest }],
      entry.linkedAt,
    );
    Object.assign(entry, linked.entries[0]);
    head = linked.head;
  }
  if (lastSeq === chain.entries.length - 1) chain.head = head;
}

export function entryAt(chain: SampleChain, place: number): StoredEntry {
  const entry = chain.entries[place];
  if (!entry) throw new RangeError(`the sample chain has no entry ${place}`);
  return entry;
}

export function eventAt(chain: SampleChain, place: number): StoredEvent {
  const { event } = entryAt(chain, place);
  if (!event) throw new RangeError(`entry ${place} of the sample chain has no event`);
  return event;
}

export function verify(chain: SampleChain): VerifyResult {
  const verifier = new ChainVerifier(chain.workspaceId);
  for (const entry of chain.entries) verifier.push(entry);
  return verifier.finish(chain.head);
}

/** Findings in short: `kind@seq`. */
export function inShort(result: VerifyResult): string[] {
  return result.findings.map(({ kind, seq }) => `${kind}@${seq ?? '-'}`);
}

/** The instant so many seconds after noon of a fixed day. */
export function instant(seconds: number): string {
  return new Date(Date.UTC(2026, 10, 30, 12) + seconds * 1000).toISOString();
}

/** The same bytes with one bit of the first byte turned. */
export function bitFlipped(bytes: Uint8Array): Uint8Array {
  return fromHex(toHex(bytes).replace(/^../, (byte) => toHex(Uint8Array.of(Number.parseInt(byte, 16) ^ 1))));
}
