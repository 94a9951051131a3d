import { withConnection } from '@perdure/service';
import type { ReportResult, UsageTransaction } from '@perdure/store';
import type { Pool, PoolClient } from 'pg';
import { readItems, writeResults } from './batch-items.js';
import { usageTransaction } from './usage-transaction.js';
import { applyIsolating, sqlStateOf } from './isolate-poison.js';

interface ReceivedBatch {
  workspace_id: string;
  id: string;
  actor_id: string;
  received_at: string;
}

export type ResultCounts = Record<ReportResult['status'], number>;

export interface AppliedBatch {
  workspaceId: string;
  batchId: string;
  counts: ResultCounts;
}

/** A batch could not be applied as a whole; it stays received. */
export class BatchError extends Error {
  constructor(
    readonly batchId: string,
    readonly workspaceId: string,
    options: { cause: unknown },
  ) {
    super('the batch could not be applied', options);
    this.name = 'BatchError';
  }
}

/** Batches that failed before come last, so that one which always fails holds up nobody. */
const OLDEST_RECEIVED = `
  SELECT workspace_id, id, actor_id, perdure_instant(received_at) AS received_at FROM usage_batch
  WHERE status = 'received' ORDER BY id = ANY ($1::text[]), received_at, id LIMIT 1 FOR UPDATE SKIP LOCKED`;

/**
 * Applies the oldest batch that nobody else applies: reports, results and the batch's status in one transaction, so
 * that a worker killed anywhere leaves either all of it or a received batch. Null when none waits.
 * Throws a BatchError when this batch cannot be applied, else what the database threw.
 */
export function applyOldestBatch(
  pool: Pool,
  failedBefore: ReadonlySet<string>,
  options = { preparedStatements: true },
): Promise<AppliedBatch | null> {
  return withConnection(
    () => pool.connect(),
    async (client) => {
      await client.query('BEGIN ISOLATION LEVEL READ COMMITTED');
      try {
        const { rows } = await client.query<ReceivedBatch>(OLDEST_RECEIVED, [[...failedBefore]]);
        const applied = rows[0] ? await applyBatch(client, rows[0], options) : null;
        await client.query('COMMIT');
        return applied;
      } catch (error) {
        await client.query('ROLLBACK').catch(() => undefined); // a lost connection has rolled back already
        throw error;
      }
    },
  );
}

async function applyBatch(
  client: PoolClient,
  batch: ReceivedBatch,
  options: { preparedStatements: boolean },
): Promise<AppliedBatch> {
  const { workspace_id: workspaceId, id: batchId } = batch;
  try {
    // The inbox is open to this role across workspaces; everything else only within the batch's own.
    await client.query(`SELECT set_config('perdure.workspace_id', $1, true)`, [workspaceId]);
    const tx = usageTransaction(client, workspaceId, options);
    const { lines, rejected } = await readItems(tx, batchId);
    const origin = { actorId: batch.actor_id, reportedAt: batch.received_at };
    await writeResults(tx, batchId, [...rejected, ...(await applyIsolating(tx, lines, origin))]);
    const counts = await countResults(tx, batchId);
    await tx.run(
      `UPDATE usage_batch SET status = 'applied', counts = $3, applied_at = clock_timestamp() WHERE workspace_id = $1 AND id = $2`,
      [workspaceId, batchId, JSON.stringify(counts)],
    );
    return { workspaceId, batchId, counts };
  } catch (error) {
    if (!isAboutBatch(error)) throw error;
    throw new BatchError(batchId, workspaceId, { cause: error });
  }
}

/**
 * Whether trying this batch again can be expected to fail again: its values (SQLSTATE classes 21 to 23), statements that
 * do not fit them (42), limits (54, 57014), or a fault of ours. Lost connections, deadlocks and full disks pass.
 */
function isAboutBatch(error: unknown): boolean {
  if (error instanceof TypeError || error instanceof RangeError) return true;
  return /^(2[1-3]|42|54)...$|^57014$/.test(sqlStateOf(error));
}

/** Of all lines, those refused when the batch was received included. */
async function countResults(tx: UsageTransaction, batchId: string): Promise<ResultCounts> {
  const rows = await tx.rows<{ status: keyof ResultCounts; lines: string }>(
    'SELECT status, count(*) AS lines FROM usage_batch_item WHERE workspace_id = $1 AND batch_id = $2 GROUP BY status',
    [tx.workspaceId, batchId],
  );
  const counts: ResultCounts = { accepted: 0, overwritten: 0, unchanged: 0, stale_ignored: 0, rejected: 0 };
  for (const { status, lines } of rows) counts[status] = Number(lines);
  return counts;
}
