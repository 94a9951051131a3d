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
  return typeof value === 'string' && value !== '' ? value : null;
}
