import { equalBytes, isWellFormed } from '../bytes.js';
import { DIGEST_BYTES, entryHash, isInstant } from '../digests.js';
import type { Fault } from './finding.js';
import type { StoredEntry } from './stored-entry.js';

/**
 * How far around its place an entry is tried to tell a moved entry from an edited one: far enough for a swap of neighbours or
 * a renumbering after a deletion, and at 16 hashes (about 30 µs) cheap enough for a chain where every entry is bad.
 */
const REORDER_REACH = 8;

/** Judges an entry's stored hash by its own fields alone. Undefined: the hash is right. */
export function judgeEntryHash(workspaceId: string, entry: StoredEntry): Fault | undefined {
  if (hashesAs(workspaceId, entry.seq, entry)) return undefined;
  const origin = entry.event?.workspace_id;
  if (origin !== undefined && origin !== workspaceId && hashesAs(origin, entry.seq, entry)) {
    return {
      kind: 'event_foreign_workspace',
      message: `Entry ${entry.seq} was taken from the chain of workspace ${origin}.`,
    };
  }
  const place = placeHashedFor(workspaceId, entry);
  if (place !== undefined) {
    return {
      kind: 'entry_reordered',
      message: `Entry ${entry.seq} was linked as entry ${place}: entries were moved or renumbered.`,
    };
  }
  return {
    kind: 'entry_hash_mismatch',
    message: `The stored hash of entry ${entry.seq} is not the hash of its fields: the entry was edited after it was linked.`,
  };
}

function placeHashedFor(workspaceId: string, entry: StoredEntry): number | undefined {
  for (let distance = 1; distance <= REORDER_REACH; distance += 1) {
    const places = [entry.seq - distance, entry.seq + distance];
    const place = places.find((seq) => hashesAs(workspaceId, seq, entry));
    if (place !== undefined) return place;
  }
  return undefined;
}

/**
 * Whether the stored hash is the one these fields would have at this place of this workspace's chain. False rather than an
 * error for fields that no hash can be made of: stored data is judged, not trusted.
 */
export function hashesAs(workspaceId: string, seq: number, entry: StoredEntry): boolean {
  const { prevHash, eventDigest, linkedAt } = entry;
  if (!Number.isSafeInteger(seq) || seq < 0 || !isWellFormed(workspaceId) || !isInstant(linkedAt)) return false;
  if (prevHash.length !== DIGEST_BYTES || eventDigest.length !== DIGEST_BYTES) return false;
  return equalBytes(entryHash({ workspaceId, seq, prevHash, eventDigest, linkedAt }), entry.entryHash);
}
