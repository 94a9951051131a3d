import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_LENGTH = 43; // 256 random bits in base 62
const CHECKSUM_LENGTH = 6; // 32 bits in base 62

/**
 * `prd_<env>_<credential id>_<secret><checksum>`: a prefix that secret scanners can look for, and a CRC-32 in base 62
 * with which they (and we, without a database) tell a real one from a look-alike.
 */
export const TOKEN_PATTERN = /^prd_(?:live|test)_([0-7][0-9A-HJKMNP-TV-Z]{25})_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/;

/** The same form for the one-time link by which a person signs in: no credential, and never taken for one. */
export const SIGN_IN_TOKEN_PATTERN = /^prd_link_([0-7][0-9A-HJKMNP-TV-Z]{25})_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/;

export interface MintedToken {
  /** Shown once, never stored. */
  readonly token: string;
  readonly secretDigest: Buffer;
  readonly prefix: string;
  readonly lastFour: string;
}

/** A new token for a credential or a sign-in link: 256 bits from the system's random source. */
export function mintToken(id: string, kind: 'live' | 'test' | 'link' = 'live'): MintedToken {
  const prefix = `prd_${kind}_${id}`;
  const body = `${prefix}_${base62(BigInt(`0x${randomBytes(32).toString('hex')}`), SECRET_LENGTH)}`;
  const token = body + checksum(body);
  return { token, secretDigest: digestOf(token), prefix, lastFour: token.slice(-4) };
}

export interface ReadToken {
  /** Of the credential or the link. */
  readonly id: string;
  readonly secretDigest: Buffer;
}

/** Null when the text is no credential or its checksum is wrong: no look-up is worth making then. */
export const readToken = (token: string): ReadToken | null => readForm(TOKEN_PATTERN, token);

/** Null when the text is no sign-in link's token or its checksum is wrong. */
export const readSignInToken = (token: string): ReadToken | null => readForm(SIGN_IN_TOKEN_PATTERN, token);

function readForm(pattern: RegExp, token: string): ReadToken | null {
  const id = pattern.exec(token)?.[1];
  if (id === undefined) return null;
  const body = token.slice(0, -CHECKSUM_LENGTH);
  if (checksum(body) !== token.slice(-CHECKSUM_LENGTH)) return null;
  return { id, secretDigest: digestOf(token) };
}

/** A plain hash is enough for 256 random bits (OWASP ASVS 5.0 V6.5.2); a password hash would cost 50 ms a call. */
const digestOf = (token: string): Buffer => createHash('sha256').update(token).digest();

const checksum = (body: string): string => base62(BigInt(crc32(body)), CHECKSUM_LENGTH);

function base62(value: bigint, length: number): string {
  let text = '';
  for (let rest = value; rest > 0n; rest /= 62n) text = (DIGITS[Number(rest % 62n)] ?? '') + text;
  return text.padStart(length, '0');
}
