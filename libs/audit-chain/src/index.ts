export { fromHex, toHex } from './bytes.js';
export { canonicalForm, CanonicalFormError, jcsText } from './canonical-form.js';
export { emptyHead, linkEvents, type ChainEntry, type ChainHead, type LinkableEvent } from './chain.js';
export {
  entryHash,
  eventDigest,
  genesisHash,
  payloadDigest,
  type AuditEventFields,
  type EntryHashInput,
} from './digests.js';
export { MerkleAccumulator } from './merkle-accumulator.js';
export { ChainVerifier, type VerifyFrom, type VerifyResult } from './verify/chain-verifier.js';
export type { Finding, FindingKind, FindingSeverity } from './verify/finding.js';
export type { Segment } from './verify/segment-runs.js';
export type { StoredEntry, StoredEvent, StoredPayload } from './verify/stored-entry.js';
