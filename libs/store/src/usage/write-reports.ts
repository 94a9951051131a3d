import type { UsageReport } from '@perdure/contracts';
import type { SqlValue } from '../transaction.js';
import { type Standing, versionOf } from './report-version.js';
import type { UsageTransaction } from './usage-slots.js';

/** A report with the ids that its references stand for. */
export interface PlacedReport {
  readonly report: UsageReport;
  readonly projectId: string | null;
}

/** Who reported and when: the same for all reports of one call or batch. */
export interface ReportOrigin {
  readonly actorId: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly reportedAt: string;
}

export interface StandingReport extends Standing {
  readonly hasResponses: boolean;
}

const COLUMNS = `transcript_id, build_session_id, project_id, client, version_generation, version_complete_bytes,
  version_records, parent_transcript_id, first_at, last_at, is_estimated, has_responses, report`;

const NEW_ROWS = `unnest($4::text[], $5::text[], $6::text[], $7::text[], $8::bigint[], $9::bigint[], $10::bigint[],
  $11::text[], $12::timestamptz[], $13::timestamptz[], $14::boolean[], $15::boolean[], $16::jsonb[]) AS n (${COLUMNS})`;

const INSERT = `
  INSERT INTO usage_report (workspace_id, actor_id, reported_at, ${COLUMNS})
  SELECT $1, $2, $3::timestamptz, n.* FROM ${NEW_ROWS}
  ON CONFLICT (workspace_id, transcript_id) DO NOTHING RETURNING transcript_id`;

const REPLACE = `
  UPDATE usage_report u SET actor_id = $2, reported_at = $3::timestamptz, build_session_id = n.build_session_id,
    project_id = n.project_id, client = n.client, version_generation = n.version_generation,
    version_complete_bytes = n.version_complete_bytes, version_records = n.version_records,
    parent_transcript_id = n.parent_transcript_id, first_at = n.first_at, last_at = n.last_at,
    is_estimated = n.is_estimated, has_responses = n.has_responses, report = n.report
  FROM ${NEW_ROWS} WHERE u.workspace_id = $1 AND u.transcript_id = n.transcript_id`;

/** In the order of the parameter, so that two that lock the same rows wait for each other and never in a ring. */
const LOCK = `
  SELECT u.transcript_id, u.version_generation, u.version_complete_bytes, u.version_records, u.has_responses,
    perdure_instant(u.reported_at) AS reported_at
  FROM unnest($2::text[]) WITH ORDINALITY AS k (transcript_id, place)
  JOIN usage_report u ON u.workspace_id = $1 AND u.transcript_id = k.transcript_id
  ORDER BY k.place FOR UPDATE OF u`;

interface LockedRow {
  readonly transcript_id: string;
  /** bigint arrives as text; these are safe integers. */
  readonly version_generation: string | null;
  readonly version_complete_bytes: string | null;
  readonly version_records: string | null;
  readonly has_responses: boolean;
  readonly reported_at: string;
}

/** Writes those whose transcript has no report yet, in the order given, and returns their transcripts. */
export async function insertReports(
  tx: UsageTransaction,
  reports: readonly PlacedReport[],
  origin: ReportOrigin,
): Promise<Set<string>> {
  const rows = await tx.rows<{ transcript_id: string }>(INSERT, parametersOf(tx, reports, origin));
  return new Set(rows.map((row) => row.transcript_id));
}

/** Replaces the reports of transcripts that have one and are locked. */
export async function replaceReports(
  tx: UsageTransaction,
  reports: readonly PlacedReport[],
  origin: ReportOrigin,
): Promise<void> {
  await tx.run(REPLACE, parametersOf(tx, reports, origin));
}

/** Locks the reports of transcripts, in the order given, and says what stands. */
export async function lockReports(
  tx: UsageTransaction,
  transcriptIds: readonly string[],
): Promise<Map<string, StandingReport>> {
  const rows = await tx.rows<LockedRow>(LOCK, [tx.workspaceId, transcriptIds]);
  return new Map(rows.map((row) => [row.transcript_id, standingOf(row)]));
}

function standingOf(row: LockedRow): StandingReport {
  const { version_generation: generation, version_complete_bytes: bytes, version_records: records } = row;
  return {
    version: generation === null ? null : [Number(generation), Number(bytes), Number(records)],
    reportedAt: row.reported_at,
    hasResponses: row.has_responses,
  };
}

function parametersOf(tx: UsageTransaction, placed: readonly PlacedReport[], origin: ReportOrigin): SqlValue[] {
  const reports = placed.map(({ report }) => report);
  const versions = reports.map(versionOf);
  return [
    tx.workspaceId,
    origin.actorId,
    origin.reportedAt,
    reports.map((report) => report.transcript_id),
    reports.map((report) => report.build_session_id ?? null),
    placed.map(({ projectId }) => projectId),
    reports.map((report) => report.client),
    ...[0, 1, 2].map((place) => versions.map((version) => version?.[place] ?? null)),
    reports.map((report) => report.parent_transcript_id ?? null),
    reports.map((report) => report.first_at ?? null),
    reports.map((report) => report.last_at ?? null),
    reports.map((report) => report.quality === 'estimated'),
    reports.map(namesResponses),
    reports.map(storedTextOf),
  ];
}

export const namesResponses = ({ responses }: UsageReport): boolean => responses !== undefined && responses.length > 0;

/** As it was reported; the responses are rows of their own. */
function storedTextOf({ responses: _rows, ...report }: UsageReport): string {
  return JSON.stringify(report);
}
