import { createHash } from 'node:crypto';
import { USAGE_BATCH_LIMITS } from '@perdure/contracts';

/** Reports as lines, and the key that makes them one batch however often they are sent (U3). */
export interface UsageBatch {
  readonly key: string;
  readonly lines: string;
}

/** A little below the most that U3 takes. */
const BYTES_LIMIT = USAGE_BATCH_LIMITS.bytes - 1024 * 1024;

/** A report as a line. One too long for any batch goes without its list of responses: its sums count as they are (U6). */
export function reportLine(report: Readonly<Record<string, unknown>>): string {
  const line = JSON.stringify(report);
  if (Buffer.byteLength(line) < BYTES_LIMIT) return line;
  const { responses: _responses, ...rest } = report;
  const warnings = Array.isArray(rest['warnings']) ? rest['warnings'] : [];
  return JSON.stringify({ ...rest, warnings: [...warnings, 'responses_not_listed'] });
}

/** Cuts lines into batches. The same lines have the same keys. */
export function batchesOf(lines: readonly string[]): UsageBatch[] {
  const batches: UsageBatch[] = [];
  let [held, bytes]: [string[], number] = [[], 0];
  const close = () => {
    if (held.length > 0) batches.push(batchOf(held.join('')));
    [held, bytes] = [[], 0];
  };
  for (const line of lines) {
    const length = Buffer.byteLength(line) + 1;
    if (held.length === USAGE_BATCH_LIMITS.reports || bytes + length > BYTES_LIMIT) close();
    held.push(`${line}\n`);
    bytes += length;
  }
  close();
  return batches;
}

const batchOf = (lines: string): UsageBatch => ({
  key: `usage-${createHash('sha256').update(lines).digest('hex').slice(0, 40)}`,
  lines,
});
