const HEX_BYTES = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
const LONE_SURROGATE = /\p{Surrogate}/u;

/** Whether every surrogate in the text has its partner. (`String.prototype.isWellFormed` is not in ES2023.) */
export function isWellFormed(text: string): boolean {
  return !LONE_SURROGATE.test(text);
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
