import { catalogue, DomainError, type OutputOf } from '@perdure/contracts';
import { implement } from '../dispatcher/implement.js';

type Batch = OutputOf<typeof catalogue.usage.getUsageBatch>;

const NO_COUNTS: Batch['counts'] = { accepted: 0, overwritten: 0, unchanged: 0, stale_ignored: 0, rejected: 0 };

/** Of a batch that waits, the lines that were rejected when it was received. */
export const getUsageBatchHandler = implement(catalogue.usage.getUsageBatch, async ({ tx, input }) => {
  const batch = await tx.first<Omit<Batch, 'results' | 'counts'> & { counts: Batch['counts'] | null }>(
    `SELECT id AS batch_id, batch_key, status, received_count AS received, counts,
       perdure_instant(received_at) AS received_at, perdure_instant(applied_at) AS applied_at,
       perdure_instant(items_deleted_at) AS results_deleted_at
     FROM usage_batch WHERE workspace_id = $1 AND id = $2`,
    [tx.workspaceId, input.batch_id],
  );
  if (batch === undefined) throw new DomainError('not_found', 'There is no such usage batch in this workspace.');
  const rows = await tx.rows<{ result: Batch['results'][number] }>(
    `SELECT json_strip_nulls(json_build_object('line', line, 'transcript_id', report ->> 'transcript_id',
       'status', status, 'code', code, 'message', message)) AS result
     FROM usage_batch_item WHERE workspace_id = $1 AND batch_id = $2 AND status IS NOT NULL ORDER BY line`,
    [tx.workspaceId, input.batch_id],
  );
  const results = rows.map(({ result }) => result);
  const rejected = results.filter(({ status }) => status === 'rejected').length;
  return { ...batch, counts: batch.counts ?? { ...NO_COUNTS, rejected }, results };
});
