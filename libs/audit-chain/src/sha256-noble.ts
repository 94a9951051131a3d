import { sha256 as nobleSha256 } from '@noble/hashes/sha2.js';

/** SHA-256 in plain JavaScript: what `#sha256` means everywhere but under Node. WebCrypto would make every digest a promise. */
export function sha256(bytes: Uint8Array): Uint8Array {
  return nobleSha256(bytes);
}
