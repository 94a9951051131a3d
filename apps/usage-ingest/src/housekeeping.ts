import { CoalescedLoop, withConnection, type ProcessContext } from '@perdure/service';
import { reconcileUsage, type UsageMismatch } from '@perdure/store';
import type { Pool, PoolClient } from 'pg';
import type { IngestMetrics } from './ingest-metrics.js';
import { usageTransaction } from './usage-transaction.js';

const SWEEP_MS = 3_600_000;

/** Batches of one transaction: at most a million lines. */
const BATCHES_AT_ONCE = 100;

export interface HousekeepingOptions {
  readonly pool: Pool;
  readonly logger: ProcessContext['logger'];
  readonly metrics: Pick<IngestMetrics, 'mismatches' | 'deletedBatches'>;
  /** How long the lines of an applied batch are kept. */
  readonly days: number;
  readonly sweepMs?: number;
}

/** Once an hour: deletes lines that were kept long enough, and looks whether totals are what the reports make them. */
export function createHousekeeping({ sweepMs = SWEEP_MS, ...options }: HousekeepingOptions): CoalescedLoop {
  const { logger } = options;
  return new CoalescedLoop({
    pass: async () => {
      const emptied = await emptyOldBatches(options.pool, options.days);
      options.metrics.deletedBatches.inc({}, emptied);
      await reconcile(options);
      return false;
    },
    sweepMs,
    onError: (error) => logger.warn({ err: error }, 'usage could not be tidied up; the next sweep tries again'),
  });
}

/** Lines and their results go, the batch stays with its counts: its key still names it. */
const EMPTY = `
  WITH old AS (
    SELECT workspace_id, id FROM usage_batch
    WHERE status = 'applied' AND items_deleted_at IS NULL AND applied_at < clock_timestamp() - make_interval(days => $1)
    ORDER BY applied_at LIMIT ${BATCHES_AT_ONCE} FOR UPDATE SKIP LOCKED
  ), emptied AS (
    DELETE FROM usage_batch_item i USING old WHERE i.workspace_id = old.workspace_id AND i.batch_id = old.id
  )
  UPDATE usage_batch b SET items_deleted_at = clock_timestamp() FROM old
  WHERE b.workspace_id = old.workspace_id AND b.id = old.id`;

/** Deletes the lines of batches that were applied before so many days, and returns how many batches that were. */
export async function emptyOldBatches(pool: Pool, days: number): Promise<number> {
  let emptied = 0;
  for (;;) {
    const { rowCount } = await pool.query(EMPTY, [days]);
    emptied += rowCount ?? 0;
    if ((rowCount ?? 0) < BATCHES_AT_ONCE) return emptied;
  }
}

async function reconcile({ pool, logger, metrics }: HousekeepingOptions): Promise<void> {
  const { rows } = await pool.query<{ id: string }>('SELECT DISTINCT workspace_id AS id FROM usage_batch');
  let wrong = 0;
  for (const { id } of rows) {
    const mismatches = await reconcileWorkspace(pool, id);
    wrong += mismatches.length;
    if (mismatches.length === 0) continue;
    const fields = { workspace_id: id, mismatches: mismatches.length, alert: 'usage_rollup_mismatch' };
    logger.error(fields, 'totals are not the sum of the current reports');
  }
  metrics.mismatches.set(wrong);
}

/** What differs in one workspace, as of one moment. */
export function reconcileWorkspace(pool: Pool, workspaceId: string): Promise<UsageMismatch[]> {
  return withConnection(
    () => pool.connect(),
    async (client) => {
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      try {
        return await reconcileWithin(client, workspaceId);
      } finally {
        await client.query('ROLLBACK').catch(() => undefined); // read only: there is nothing to keep
      }
    },
  );
}

async function reconcileWithin(client: PoolClient, workspaceId: string): Promise<UsageMismatch[]> {
  await client.query(`SELECT set_config('perdure.workspace_id', $1, true)`, [workspaceId]);
  return reconcileUsage(usageTransaction(client, workspaceId));
}
