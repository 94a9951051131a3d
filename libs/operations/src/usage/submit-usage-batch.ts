import { catalogue } from '@perdure/contracts';
import { implement } from '../dispatcher/implement.js';
import { countReports } from './count-reports.js';
import { findByKey, itemsOfLines, itemsOfList, receiveItems, refuseBacklog } from './receive-batch.js';

/**
 * U3: the batch and its lines are committed before this answers; applying them is the worker's. A second sender of a key
 * waits for the first and gets its batch.
 */
export const submitUsageBatchHandler = implement(catalogue.usage.submitUsageBatch, async (context) => {
  const { tx, caller, input, now, newId, quota, lines, usageBacklogLimit } = context;
  const earlier = await findByKey(tx, input.batch_key);
  if (earlier !== undefined) return earlier;
  await refuseBacklog(tx, usageBacklogLimit);
  const batchId = newId();
  const isNew = await tx.run(
    `INSERT INTO usage_batch (workspace_id, id, batch_key, actor_id, received_count, received_at)
     VALUES ($1, $2, $3, $4, 0, $5) ON CONFLICT (workspace_id, batch_key) DO NOTHING`,
    [tx.workspaceId, batchId, input.batch_key, caller.actor.id, now],
  );
  if (isNew === 0) {
    const first = await findByKey(tx, input.batch_key);
    if (first === undefined) throw new Error('a batch that was in the way is not there');
    return first;
  }
  const received = await receiveItems(tx, batchId, lines === null ? itemsOfList(input.reports) : itemsOfLines(lines));
  await tx.run('UPDATE usage_batch SET received_count = $3 WHERE workspace_id = $1 AND id = $2', [
    tx.workspaceId,
    batchId,
    received,
  ]);
  await countReports(tx, { reports: received, now, limit: (await quota).usageReportsPerDay });
  return { batch_id: batchId, status: 'received' as const, received };
});
