import { hash } from 'node:crypto';

/** SHA-256 through OpenSSL: what `#sha256` means under Node. Same answers as `sha256-noble.ts`, several times faster. */
export function sha256(bytes: Uint8Array): Uint8Array {
  const digest = hash('sha256', bytes, 'buffer');
  // A plain Uint8Array, as in a browser: Buffer changes what slice() and JSON.stringify() do.
  return new Uint8Array(digest.buffer, digest.byteOffset, digest.byteLength);
}
