import { DomainError } from '@perdure/contracts';
import type { Transaction } from '@perdure/store';

interface Reported {
  readonly reports: number;
  /** RFC 3339, UTC: its day is the one that is counted. */
  readonly now: string;
  /** Reports a day; null: as many as there are. */
  readonly limit: number | null;
}

/**
 * I4: counts the reports of a day in UTC, whatever became of them, and refuses those over the quota. The last statement of
 * a handler: others of the workspace wait for the row.
 *
 * @throws DomainError `quota_exceeded`
 */
export async function countReports(tx: Transaction, { reports, now, limit }: Reported): Promise<void> {
  const day = now.slice(0, 10);
  const counted = await tx.first<{ reports: string }>(
    `INSERT INTO usage_day AS d (workspace_id, day, reports) VALUES ($1, $2, $3)
     ON CONFLICT (workspace_id, day) DO UPDATE SET reports = d.reports + excluded.reports RETURNING reports`,
    [tx.workspaceId, day, reports],
  );
  const used = Number(counted?.reports ?? 0);
  if (limit === null || used <= limit) return;
  throw new DomainError('quota_exceeded', 'The workspace has reported as much usage today as its quota allows.', {
    quota: 'usage_reports_per_day',
    limit,
    used: used - reports,
  });
}
