import type { ErrorCode } from '@perdure/contracts';
import type { PoolClient } from 'pg';
import type { ReportStatus } from './upsert-report.js';

export interface BatchItem {
  line: number;
  report: unknown;
}

export interface ItemResult {
  line: number;
  status: ReportStatus | 'rejected';
  code: ErrorCode | null;
  message: string | null;
}

export async function readItems(client: PoolClient, workspaceId: string, batchId: string): Promise<BatchItem[]> {
  const { rows } = await client.query<BatchItem>(
    'SELECT line, report FROM usage_batch_item WHERE workspace_id = $1 AND batch_id = $2 ORDER BY line',
    [workspaceId, batchId],
  );
  return rows;
}

export async function writeResults(
  client: PoolClient,
  { workspaceId, batchId }: { workspaceId: string; batchId: string },
  results: readonly ItemResult[],
): Promise<void> {
  await client.query(
    `UPDATE usage_batch_item i SET status = r.status, code = r.code, message = r.message
     FROM unnest($3::int[], $4::text[], $5::text[], $6::text[]) AS r (line, status, code, message)
     WHERE i.workspace_id = $1 AND i.batch_id = $2 AND i.line = r.line`,
    [
      workspaceId,
      batchId,
      results.map((result) => result.line),
      results.map((result) => result.status),
      results.map((result) => result.code),
      results.map((result) => result.message),
    ],
  );
}
