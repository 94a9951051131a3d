import { DrainLoop, type DrainLoopOptions } from '@perdure/service';
import type { Pool } from 'pg';
import { applyOldestBatch, BatchError, type AppliedBatch } from './apply-batch.js';
import type { IngestMetrics } from './ingest-metrics.js';
import { oldestBatch } from './oldest-batch.js';

/** A batch of 10,000 reports is one transaction of many seconds: that alone is not being stuck. */
const STUCK_MS = 120_000;

export interface IngestOptions {
  pool: Pool;
  logger: DrainLoopOptions['logger'];
  metrics: IngestMetrics;
  /** False for a pooler in transaction mode that does not hand names on. */
  preparedStatements?: boolean;
  sweepMs?: number;
}

/** Applies every batch that waits, oldest first, whenever it is woken and every second without being woken. */
export function createIngest({ sweepMs, ...options }: IngestOptions): DrainLoop {
  const batches = new Batches(options);
  return new DrainLoop({
    doing: 'applying usage batches',
    pass: () => batches.next(),
    oldest: () => oldestBatch(options.pool, batches.failed),
    stuckMs: STUCK_MS,
    ...(sweepMs === undefined ? {} : { sweepMs }),
    logger: options.logger,
    onAge: (seconds) => options.metrics.lagSeconds.set(seconds),
  });
}

class Batches {
  /** Batches that could not be applied: tried again after all others, and kept out of liveness. */
  readonly failed = new Set<string>();

  constructor(private readonly options: Omit<IngestOptions, 'sweepMs'>) {}

  /** True when a batch was applied: another may wait. */
  async next(): Promise<boolean> {
    const stopTimer = this.options.metrics.batchSeconds.startTimer();
    try {
      const applied = await applyOldestBatch(this.options.pool, this.failed, {
        preparedStatements: this.options.preparedStatements ?? true,
      });
      if (!applied) return false;
      stopTimer();
      this.report(applied);
      return true;
    } catch (error) {
      if (!(error instanceof BatchError)) throw error;
      return this.reportFailure(error);
    }
  }

  private report({ workspaceId, batchId, counts }: AppliedBatch): void {
    const { logger, metrics } = this.options;
    this.failed.delete(batchId);
    metrics.failedBatches.set(this.failed.size);
    for (const [result, count] of Object.entries(counts)) metrics.reports.inc({ result }, count);
    logger.info({ workspace_id: workspaceId, batch_id: batchId, ...counts }, 'usage batch applied');
  }

  /** A batch that fails for the first time lets the others go before it at once; after that the sweep tries it again. */
  private reportFailure({ batchId, workspaceId, cause }: BatchError): boolean {
    if (this.failed.has(batchId)) return false;
    const { logger, metrics } = this.options;
    this.failed.add(batchId);
    metrics.failedBatches.set(this.failed.size);
    logger.error(
      { workspace_id: workspaceId, batch_id: batchId, err: cause, alert: 'usage_batch_failed' },
      'usage batch could not be applied',
    );
    return true;
  }
}
