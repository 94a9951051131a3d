const encoder = new TextEncoder();
const HEX_BYTES = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
const LONE_SURROGATE = /\p{Surrogate}/u;

/** Whether every surrogate in the text has its partner. (`String.prototype.isWellFormed` is not in ES2023.) */
export function isWellFormed(text: string): boolean {
  return !LONE_SURROGATE.test(text);
}

/**
 * UTF-8 bytes of a text.
 * @throws TypeError on a lone surrogate: TextEncoder would write U+FFFD for it, and two different texts would share a digest.
 */
export function utf8(text: string): Uint8Array {
  if (!isWellFormed(text)) throw new TypeError('text holds a lone surrogate and has no UTF-8 form');
  return encoder.encode(text);
}

/** Number of UTF-8 bytes of a well-formed text. */
export function utf8Length(text: string): number {
  return encoder.encode(text).length;
}

/** The parts one after another in a new array. */
export function concatBytes(...parts: readonly Uint8Array[]): Uint8Array {
  const total = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    total.set(part, offset);
    offset += part.length;
  }
  return total;
}

/** The length of `bytes` as a big-endian u32. Before each field of variable length, so that no field boundary can shift. */
export function lengthPrefix(bytes: Uint8Array): Uint8Array {
  const prefix = new Uint8Array(4);
  new DataView(prefix.buffer).setUint32(0, bytes.length);
  return prefix;
}

/** A safe integer ≥ 0 as a big-endian u64. */
export function u64(value: number): Uint8Array {
  const bytes = new Uint8Array(8);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, Math.floor(value / 2 ** 32));
  view.setUint32(4, value % 2 ** 32);
  return bytes;
}

/** Whether both hold the same bytes. Not constant-time: nothing compared here is a secret. */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}

/** Lower-case hex, two digits a byte: the form of a digest in JSON. */
export function toHex(bytes: Uint8Array): string {
  let hex = '';
  for (const byte of bytes) hex += HEX_BYTES[byte];
  return hex;
}

/**
 * The bytes of a lower-case hex text.
 * @throws TypeError on anything else, upper case included: a digest has one spelling.
 */
export function fromHex(hex: string): Uint8Array {
  if (!/^(?:[0-9a-f]{2})*$/.test(hex)) throw new TypeError('not a lower-case hex text of whole bytes');
  return Uint8Array.from({ length: hex.length / 2 }, (_, index) =>
    Number.parseInt(hex.slice(index * 2, index * 2 + 2), 16),
  );
}
