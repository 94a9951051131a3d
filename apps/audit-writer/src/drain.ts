import { DrainLoop, type DrainLoopOptions } from '@perdure/service';
import type { Pool } from 'pg';
import { linkPending, type LinkResult } from './link-pending.js';
import { oldestPending } from './oldest-pending.js';
import type { WriterMetrics } from './writer-metrics.js';

/** 1,000 take about 250 ms on two busy cores, 1 takes 10: past a hundred the time per event hardly falls any more. */
const MAX_EVENTS = 1000;
const MAX_WORKSPACES = 200;
/** Normal is well under a second. */
const STUCK_MS = 30_000;

export interface DrainOptions {
  pool: Pool;
  logger: DrainLoopOptions['logger'];
  metrics: WriterMetrics;
  sweepMs?: number;
  clock?: () => string;
}

/** Links everything that waits, whenever it is woken and every second without being woken. One batch at a time. */
export function createDrain({ sweepMs, ...options }: DrainOptions): DrainLoop {
  const batches = new Batches(options);
  return new DrainLoop({
    doing: 'linking',
    pass: () => batches.next(),
    oldest: () => oldestPending(options.pool, batches.blocked),
    stuckMs: STUCK_MS,
    ...(sweepMs === undefined ? {} : { sweepMs }),
    logger: options.logger,
    onAge: (seconds) => options.metrics.lagSeconds.set(seconds),
  });
}

/** What is remembered from batch to batch. */
class Batches {
  /** Workspaces whose rows refused their last batch: tried alone, and kept out of liveness, which a restart could not mend. */
  blocked: ReadonlySet<string> = new Set();
  private after = '';

  constructor(private readonly options: Omit<DrainOptions, 'sweepMs'>) {}

  /**
   * True whenever anything was linked, not only after a full batch: another writer may have been woken for an event
   * that this one's lock hid from it, and has left it to us.
   */
  async next(): Promise<boolean> {
    const { pool, metrics, clock = () => new Date().toISOString() } = this.options;
    const stopTimer = metrics.batchSeconds.startTimer();
    const result = await linkPending(pool, {
      maxWorkspaces: MAX_WORKSPACES,
      maxEvents: MAX_EVENTS,
      clock,
      after: this.after,
      alone: this.blocked,
    });
    stopTimer();
    this.after = result.looked.at(-1) ?? this.after;
    this.report(result);
    return result.linked + result.quarantined.length > 0;
  }

  private report({ linked, quarantined, failed, looked }: LinkResult): void {
    const { logger, metrics } = this.options;
    metrics.linked.inc(linked);
    metrics.quarantined.inc(quarantined.length);
    for (const { workspace_id, event_id, reason } of quarantined) {
      logger.error({ workspace_id, event_id, reason, alert: 'audit_event_quarantined' }, 'event put into quarantine');
    }
    for (const { workspaceId, error } of failed) {
      if (this.blocked.has(workspaceId)) continue;
      logger.error(
        { workspace_id: workspaceId, err: error, alert: 'audit_chain_blocked' },
        'chain cannot be continued',
      );
    }
    const notLookedAt = [...this.blocked].filter((workspaceId) => !looked.includes(workspaceId));
    this.blocked = new Set([...notLookedAt, ...failed.map(({ workspaceId }) => workspaceId)]);
    metrics.blockedWorkspaces.set(this.blocked.size);
  }
}
