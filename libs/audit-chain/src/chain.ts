import { entryHash, genesisHash, isInstant } from './digests.js';

/** The end of a workspace's chain: how many entries, and the hash the next one follows. */
export interface ChainHead {
  workspaceId: string;
  size: number;
  headHash: Uint8Array;
  /** `linkedAt` of the last entry; empty before the first. */
  linkedAt: string;
}

/** One link of the chain. `seq` counts from 0 without gaps. */
export interface ChainEntry {
  seq: number;
  eventId: string;
  eventDigest: Uint8Array;
  prevHash: Uint8Array;
  entryHash: Uint8Array;
  linkedAt: string;
}

/** An event that waits to be linked. */
export interface LinkableEvent {
  eventId: string;
  eventDigest: Uint8Array;
}

/** The head of a chain without entries. */
export function emptyHead(workspaceId: string): ChainHead {
  return { workspaceId, size: 0, headHash: genesisHash(workspaceId), linkedAt: '' };
}

/**
 * Links events behind a head, in the order given. Pure: the caller holds the head's row lock and stores what comes back.
 * @param now the writer's clock (RFC 3339 UTC, three fraction digits). Where it lies before the head, the head's time is used:
 * a clock set back never makes the chain go back.
 * @throws TypeError when `now` is no such instant or a digest is not 32 bytes.
 */
export function linkEvents(
  head: ChainHead,
  events: readonly LinkableEvent[],
  now: string,
): { head: ChainHead; entries: ChainEntry[] } {
  if (!isInstant(now)) throw new TypeError('now must be RFC 3339 UTC with three fraction digits');
  if (events.length === 0) return { head, entries: [] };
  // Instants of this form have one width, so their text order is their time order; '' comes before all.
  const linkedAt = now > head.linkedAt ? now : head.linkedAt;
  const entries: ChainEntry[] = [];
  let prevHash = head.headHash;
  for (const { eventId, eventDigest } of events) {
    const seq = head.size + entries.length;
    const hash = entryHash({ workspaceId: head.workspaceId, seq, prevHash, eventDigest, linkedAt });
    entries.push({ seq, eventId, eventDigest, prevHash, entryHash: hash, linkedAt });
    prevHash = hash;
  }
  const size = head.size + entries.length;
  return { head: { workspaceId: head.workspaceId, size, headHash: prevHash, linkedAt }, entries };
}
