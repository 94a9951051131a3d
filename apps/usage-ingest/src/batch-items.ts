import { usageReport } from '@perdure/contracts';
import type { ReportLine, ReportResult, UsageTransaction } from '@perdure/store';
import type { z } from 'zod';

interface WaitingItem {
  readonly line: number;
  readonly report: unknown;
}

/** The lines of a batch that wait: what was refused when it was received has its result already. */
export async function readItems(
  tx: UsageTransaction,
  batchId: string,
): Promise<{ lines: ReportLine[]; rejected: ReportResult[] }> {
  const items = await tx.rows<WaitingItem>(
    `SELECT line, report FROM usage_batch_item WHERE workspace_id = $1 AND batch_id = $2 AND status IS NULL
     ORDER BY line`,
    [tx.workspaceId, batchId],
  );
  const read: { lines: ReportLine[]; rejected: ReportResult[] } = { lines: [], rejected: [] };
  for (const { line, report } of items) {
    // The inbox takes any JSON, and an older release may have filled it: what the sums rely on is looked at here again.
    const parsed = usageReport.safeParse(report);
    if (parsed.success) read.lines.push({ line, report: parsed.data });
    else read.rejected.push({ line, status: 'rejected', code: 'invalid_input', message: firstProblem(parsed.error) });
  }
  return read;
}

/** The first thing that is wrong with a report, in one line that names the field and repeats no value. */
function firstProblem({ issues: [issue] }: z.ZodError): string {
  if (issue === undefined) return 'the report cannot be read';
  const where = issue.path.length === 0 ? 'the report' : issue.path.join('.');
  return `${where}: ${issue.code === 'unrecognized_keys' ? 'has an unknown key' : issue.message}`.slice(0, 500);
}

export async function writeResults(
  tx: UsageTransaction,
  batchId: string,
  results: readonly ReportResult[],
): Promise<void> {
  if (results.length === 0) return;
  await tx.run(
    `UPDATE usage_batch_item i SET status = r.status, code = r.code, message = r.message
     FROM unnest($3::int[], $4::text[], $5::text[], $6::text[]) AS r (line, status, code, message)
     WHERE i.workspace_id = $1 AND i.batch_id = $2 AND i.line = r.line`,
    [
      tx.workspaceId,
      batchId,
      results.map((result) => result.line),
      results.map((result) => result.status),
      results.map((result) => result.code),
      results.map((result) => result.message),
    ],
  );
}
