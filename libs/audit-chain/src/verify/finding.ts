/**
 * What the verifier can find. An error makes the chain not ok; a warning (`payload_erased`, `clock_backwards`) does not.
 *
 * The chain itself:
 * - `entry_missing` one or more sequence numbers are not there
 * - `entry_hash_mismatch` an entry's stored hash is not the hash of its fields: one of them was changed
 * - `prev_hash_mismatch` an entry is sound in itself but does not follow the stored hash before it
 * - `entry_duplicated` a sequence number comes twice, or an event is linked a second time
 * - `entry_reordered` an entry stands at another place than the one it was hashed for, or comes late in the stream
 * - `clock_backwards` (warning) an entry was linked earlier than the one before it
 *
 * Its events and payloads:
 * - `event_digest_mismatch` the event is not the one that was linked: it was edited or exchanged
 * - `event_missing` the event of an entry is gone
 * - `event_foreign_workspace` the event, or the whole entry, belongs to another workspace
 * - `payload_edited` the payload or its salt is not what the event's digest covers
 * - `payload_missing` the payload is gone and is not marked as erased
 * - `payload_not_canonical` the payload says the same but its text was re-rendered
 * - `payload_erased` (warning) the payload was erased; the entry verifies without it
 *
 * Its end:
 * - `head_missing` there are entries but no head
 * - `head_size_mismatch` the head counts another number of entries: the chain was cut, extended or the head set back
 * - `head_hash_mismatch` the head holds another hash than the last entry
 */
export type FindingKind =
  | 'entry_missing'
  | 'entry_hash_mismatch'
  | 'prev_hash_mismatch'
  | 'entry_duplicated'
  | 'entry_reordered'
  | 'clock_backwards'
  | 'event_digest_mismatch'
  | 'event_missing'
  | 'event_foreign_workspace'
  | 'payload_edited'
  | 'payload_missing'
  | 'payload_not_canonical'
  | 'payload_erased'
  | 'head_missing'
  | 'head_size_mismatch'
  | 'head_hash_mismatch';

export type FindingSeverity = 'error' | 'warning';

export interface Finding {
  seq?: number;
  event_id?: string;
  kind: FindingKind;
  severity: FindingSeverity;
  /** One sentence for a person. Holds ids and sequence numbers, never content of a payload. */
  message: string;
}

/** What is wrong with one entry, before the walk says which entry it is. */
export interface Fault {
  kind: FindingKind;
  message: string;
}

export function severityOf(kind: FindingKind): FindingSeverity {
  return kind === 'payload_erased' || kind === 'clock_backwards' ? 'warning' : 'error';
}
