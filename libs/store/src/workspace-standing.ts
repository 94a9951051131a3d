/** How much a workspace may take; null: as much as there is (OPERATIONS, set_workspace_quota). */
export interface WorkspaceQuota {
  readonly requestsPerMinute: number | null;
  readonly storedBytes: number | null;
  readonly buildSessions: number | null;
  readonly usageReportsPerDay: number | null;
}

export const NO_QUOTA: WorkspaceQuota = {
  requestsPerMinute: null,
  storedBytes: null,
  buildSessions: null,
  usageReportsPerDay: null,
};

/** What a write must know of its workspace before it begins. */
export interface WorkspaceStanding {
  readonly status: 'active' | 'suspended' | 'deletion_scheduled';
  readonly quota: WorkspaceQuota;
  /** As measured last, plus what was written since; null when it was never measured. */
  readonly storedBytes: number | null;
  readonly storedBytesMeasuredAt: Date | null;
}

interface StandingRow {
  readonly status: WorkspaceStanding['status'];
  readonly quota_requests_per_minute: number | null;
  readonly quota_stored_bytes: string | null;
  readonly quota_build_sessions: number | null;
  readonly quota_usage_reports_per_day: number | null;
  readonly stored_bytes: string | null;
  readonly stored_bytes_measured_at: Date | null;
}

/** Row-level security leaves the one row of the tenant. */
export const STANDING_SQL = `SELECT status, quota_requests_per_minute, quota_stored_bytes, quota_build_sessions,
  quota_usage_reports_per_day, stored_bytes, stored_bytes_measured_at FROM workspace`;

/** bigint arrives as text; a quota and what is stored are safe integers. */
const numberOf = (text: string | null): number | null => (text === null ? null : Number(text));

export function standingOf(row: unknown): WorkspaceStanding {
  const standing = row as StandingRow; // a row of STANDING_SQL
  return {
    status: standing.status,
    quota: {
      requestsPerMinute: standing.quota_requests_per_minute,
      storedBytes: numberOf(standing.quota_stored_bytes),
      buildSessions: standing.quota_build_sessions,
      usageReportsPerDay: standing.quota_usage_reports_per_day,
    },
    storedBytes: numberOf(standing.stored_bytes),
    storedBytesMeasuredAt: standing.stored_bytes_measured_at,
  };
}
