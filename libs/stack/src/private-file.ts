import { readFileSync, renameSync, writeFileSync } from 'node:fs';

/** Writes JSON readable by its owner only, beside and then renamed: a reader never sees half of it. */
export function writePrivateJson(file: string, value: unknown): void {
  const partial = `${file}.${process.pid}`;
  writeFileSync(partial, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  renameSync(partial, file);
}

/** The parsed content, or null when there is no readable JSON. */
export function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

/** Whether a parsed value is an object whose fields can be looked at. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
