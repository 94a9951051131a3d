const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const CHECKSUM_LENGTH = 6; // 32 bits in base 62

/** CRC-32 (IEEE 802.3) of an ASCII text in base 62, six characters: how GitHub's tokens and our own end. */
export function base62Checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  while (rest > 0) {
    digits = (DIGITS[rest % 62] ?? '') + digits;
    rest = Math.floor(rest / 62);
  }
  return digits.padStart(CHECKSUM_LENGTH, '0');
}

/** Bit by bit: it runs on a few dozen characters of a candidate, and this library also runs where node:zlib is not. */
function crc32(text: string): number {
  let crc = 0xffffffff;
  for (let index = 0; index < text.length; index += 1) {
    crc ^= text.charCodeAt(index);
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}

/**
 * GitHub's first format: 30 random characters and their checksum. Longer bodies belong to later formats without a
 * documented checksum and count as they are.
 */
export function isGithubBody(body: string): boolean {
  return body.length > 36 || base62Checksum(body.slice(0, -CHECKSUM_LENGTH)) === body.slice(-CHECKSUM_LENGTH);
}

/** Our own tokens: the checksum covers everything before it, the prefix included. */
export function isOwnToken(_body: string, token: string): boolean {
  return base62Checksum(token.slice(0, -CHECKSUM_LENGTH)) === token.slice(-CHECKSUM_LENGTH);
}
