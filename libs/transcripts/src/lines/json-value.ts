import { isUtf8 } from 'node:buffer';

/** What JSON.parse gives for an object: names are known, values are not. */
export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The object under a name, if there is one. */
export function objectAt(record: JsonObject, name: string): JsonObject | null {
  const value = record[name];
  return isObject(value) ? value : null;
}

/** The text under a name, unless it is empty. */
export function textAt(record: JsonObject, name: string): string | null {
  const value = record[name];
  return typeof value === 'string' && value !== '' ? textOfBytes(value) : null;
}

/**
 * Lines are parsed as Latin-1, a character for each byte: several times faster than UTF-8, nothing in a line can stop it,
 * and of all the text there is only names and ids are ever used. Those are decoded here.
 */
export function textOfBytes(text: string): string {
  if (!/[\x80-\xff]/.test(text)) return text;
  return text.replaceAll(/[\x80-\xff]+/g, (run) => {
    const bytes = Buffer.from(run, 'latin1');
    // Not UTF-8: it was written as an escape, and is the character itself.
    return isUtf8(bytes) ? bytes.toString('utf8') : run;
  });
}
