import type { PoolClient } from 'pg';
import type { UsageReport } from './usage-report.js';

export type ReportStatus = 'accepted' | 'overwritten' | 'unchanged' | 'stale_ignored';

/** Who reported it and when: the same for all reports of a batch. */
export interface ReportOrigin {
  workspaceId: string;
  actorId: string;
  /** RFC 3339. */
  reportedAt: string;
}

/**
 * U2 in one statement, so that two reports of one transcript at the same time cannot both win. A report without a
 * version replaces an earlier one without, never a versioned one; a versioned one replaces any without.
 */
const UPSERT = `
  INSERT INTO usage_report AS current (workspace_id, transcript_id, build_session_id, actor_id, client,
    version_generation, version_complete_bytes, version_records, report, reported_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
  ON CONFLICT (workspace_id, transcript_id) DO UPDATE SET
    build_session_id = excluded.build_session_id, actor_id = excluded.actor_id, client = excluded.client,
    version_generation = excluded.version_generation, version_complete_bytes = excluded.version_complete_bytes,
    version_records = excluded.version_records, report = excluded.report, reported_at = excluded.reported_at
  WHERE CASE
    WHEN excluded.version_generation IS NULL
      THEN current.version_generation IS NULL AND excluded.reported_at >= current.reported_at
    WHEN current.version_generation IS NULL THEN true
    ELSE (excluded.version_generation, excluded.version_complete_bytes, excluded.version_records)
       > (current.version_generation, current.version_complete_bytes, current.version_records)
  END
  RETURNING xmax = 0 AS inserted`;

/** The row is locked by the statement above, so this is the version that it lost to. */
const SAME_VERSION = `
  SELECT version_generation IS NOT NULL
    AND (version_generation, version_complete_bytes, version_records) = ($3::bigint, $4::bigint, $5::bigint) AS same
  FROM usage_report WHERE workspace_id = $1 AND transcript_id = $2`;

/** Stores a report unless a newer one is there. Runs in the transaction and under the tenant of the caller. */
export async function upsertReport(
  client: PoolClient,
  report: UsageReport,
  origin: ReportOrigin,
): Promise<ReportStatus> {
  const { version } = report;
  const versions = [version?.generation ?? null, version?.complete_bytes ?? null, version?.records ?? null];
  const { rows } = await client.query<{ inserted: boolean }>(UPSERT, [
    origin.workspaceId,
    report.transcript_id,
    report.build_session_id ?? null,
    origin.actorId,
    report.client,
    ...versions,
    JSON.stringify(report),
    origin.reportedAt,
  ]);
  const [written] = rows;
  if (written) return written.inserted ? 'accepted' : 'overwritten';
  const kept = await client.query<{ same: boolean | null }>(SAME_VERSION, [
    origin.workspaceId,
    report.transcript_id,
    ...versions,
  ]);
  return kept.rows[0]?.same === true ? 'unchanged' : 'stale_ignored';
}
