import type { UsageReport } from '@perdure/contracts';

export type ReportStatus = 'accepted' | 'overwritten' | 'unchanged' | 'stale_ignored';

/** What decides whether a report replaces another one (U2). */
export interface Standing {
  /** Generation, complete bytes, records; null for a report without a version. */
  readonly version: readonly [generation: number, completeBytes: number, records: number] | null;
  /** RFC 3339, UTC, milliseconds: compares as text. */
  readonly reportedAt: string;
}

export const versionOf = ({ version }: UsageReport): Standing['version'] =>
  version === undefined ? null : [version.generation, version.complete_bytes, version.records];

/**
 * U2, the one statement of the rule: by version and never by values. A report without a version replaces an earlier one
 * without, never a versioned one; a versioned one replaces any without.
 *
 * @param current of the report that stands; null when there is none
 */
export function compareReports(current: Standing | null, incoming: Standing): ReportStatus {
  if (current === null) return 'accepted';
  if (incoming.version === null) {
    const replaces = current.version === null && incoming.reportedAt >= current.reportedAt;
    return replaces ? 'overwritten' : 'stale_ignored';
  }
  if (current.version === null) return 'overwritten';
  for (const [place, value] of incoming.version.entries()) {
    const other = current.version[place] ?? 0;
    if (value !== other) return value > other ? 'overwritten' : 'stale_ignored';
  }
  return 'unchanged';
}
