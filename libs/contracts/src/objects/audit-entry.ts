import { z } from 'zod';
import { id, instant } from '../fields.js';

const hexDigest = () => z.string().regex(/^[0-9a-f]{64}$/);

/** An audited event with its place in the chain; `seq` and the hashes are null while it is pending. */
export const auditEntryObject = z.object({
  v: z.int(),
  workspace_id: id(),
  seq: z.int().nullable(),
  event_id: id(),
  type: z.string(),
  at: instant(),
  actor_ref: z.string(),
  subject_type: z.string(),
  subject_id: z.string(),
  payload: z.record(z.string(), z.unknown()).nullable(),
  payload_salt: z.string().nullable(),
  payload_digest: hexDigest(),
  event_digest: hexDigest(),
  prev_hash: hexDigest().nullable(),
  entry_hash: hexDigest().nullable(),
  linked_at: instant().nullable(),
});

export type AuditEntryObject = z.output<typeof auditEntryObject>;
