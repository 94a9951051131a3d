import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * The answer to a refresh, so that only whoever presents the same refresh token can open it: the key comes from the
 * token, of which the database has the digest alone. Layout: iv, tag, ciphertext.
 */
export function sealAnswer(refreshToken: string, answer: string): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, keyOf(refreshToken), iv);
  const sealed = Buffer.concat([cipher.update(answer, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]);
}

/** @throws Error when it was sealed with another token or changed since */
export function openAnswer(refreshToken: string, sealed: Buffer): string {
  const iv = sealed.subarray(0, IV_BYTES);
  const decipher = createDecipheriv(CIPHER, keyOf(refreshToken), iv);
  decipher.setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  return decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES)).toString('utf8') + decipher.final('utf8');
}

const keyOf = (refreshToken: string): Buffer =>
  Buffer.from(hkdfSync('sha256', refreshToken, '', 'perdure refresh answer v1', 32));
