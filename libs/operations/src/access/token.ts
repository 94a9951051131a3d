import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_LENGTH = 43; // 256 random bits in base 62
const CHECKSUM_LENGTH = 6; // 32 bits in base 62

const FORM = '_([0-7][0-9A-HJKMNP-TV-Z]{25})_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$';

/**
 * `prd_<env>_<credential id>_<secret><checksum>`: a prefix that secret scanners can look for, and a CRC-32 in base 62
 * with which they (and we, without a database) tell a real one from a look-alike.
 */
export const TOKEN_PATTERN = new RegExp(`^prd_(?:live|test)${FORM}`);

/**
 * What the same form is used for. `live` and `test`: credentials. `access` and `refresh`: tokens of MCP authorization,
 * with their credential's id. `link`: the one-time link by which a person signs in. `session`: their cookie.
 */
export type TokenKind = 'live' | 'test' | 'access' | 'refresh' | 'link' | 'session';

const ANY_KIND = new RegExp(`^prd_(live|test|access|refresh|link|session)${FORM}`);

export interface MintedToken {
  /** Shown once, never stored. */
  readonly token: string;
  readonly secretDigest: Buffer;
  readonly prefix: string;
  readonly lastFour: string;
}

/** A new token for the credential, link or session of that id: 256 bits from the system's random source. */
export function mintToken(id: string, kind: TokenKind = 'live'): MintedToken {
  const prefix = `prd_${kind}_${id}`;
  const body = `${prefix}_${base62(BigInt(`0x${randomBytes(32).toString('hex')}`), SECRET_LENGTH)}`;
  const token = body + checksum(body);
  return { token, secretDigest: digestOf(token), prefix, lastFour: token.slice(-4) };
}

export interface ReadToken {
  readonly kind: TokenKind;
  /** Of the credential, link or session. */
  readonly id: string;
  readonly secretDigest: Buffer;
}

/** Null when the text has not the form or its checksum is wrong: no look-up is worth making then. */
export function readToken(token: string): ReadToken | null {
  const [, kind, id] = ANY_KIND.exec(token) ?? [];
  if (kind === undefined || id === undefined) return null;
  const body = token.slice(0, -CHECKSUM_LENGTH);
  if (checksum(body) !== token.slice(-CHECKSUM_LENGTH)) return null;
  return { kind: kind as TokenKind, id, secretDigest: digestOf(token) }; // the pattern names no other
}

/** The same, when it is of that kind. */
export function readTokenOf(kind: TokenKind, token: string): ReadToken | null {
  const read = readToken(token);
  return read?.kind === kind ? read : null;
}

/** A plain hash is enough for 256 random bits (OWASP ASVS 5.0 V6.5.2); a password hash would cost 50 ms a call. */
const digestOf = (token: string): Buffer => createHash('sha256').update(token).digest();

const checksum = (body: string): string => base62(BigInt(crc32(body)), CHECKSUM_LENGTH);

function base62(value: bigint, length: number): string {
  let text = '';
  for (let rest = value; rest > 0n; rest /= 62n) text = (DIGITS[Number(rest % 62n)] ?? '') + text;
  return text.padStart(length, '0');
}
