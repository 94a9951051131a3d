import { mkdirSync, openSync, readFileSync, statSync, truncateSync } from 'node:fs';
import path from 'node:path';

/** A log beyond this size starts over with the next start of its process. */
const MAX_LOG_BYTES = 10 * 1024 * 1024;

/** Opens a log for appending and returns its descriptor; the caller closes it once the child has it. */
export function openLog(file: string): number {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > MAX_LOG_BYTES) truncateSync(file);
  return openSync(file, 'a', 0o600);
}

/** The last lines of a log, empty when there is none. */
export function lastLines(file: string, count = 20): string {
  try {
    return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-count).join('\n');
  } catch {
    return '';
  }
}
