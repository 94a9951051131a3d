import type { ChainEntry } from '../chain.js';
import type { AuditEventFields } from '../digests.js';

/** An audit event as the database holds it: its digest as bytes. */
export type StoredEvent = Omit<AuditEventFields, 'payload_digest'> & { payload_digest: Uint8Array };

/** A payload as the database holds it: the stored text itself, never one rendered again. */
export interface StoredPayload {
  /** 16 bytes. */
  salt: Uint8Array;
  canonical: string;
}

/** One entry with all that stands behind it; `null` and `'missing'` for what is not there. */
export interface StoredEntry extends ChainEntry {
  event: StoredEvent | null;
  payload: StoredPayload | 'erased' | 'missing';
}
