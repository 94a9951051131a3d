import { CoalescedLoop, type CheckOutcome } from '@perdure/service';
import type { Pool } from 'pg';
import { Backlog } from './backlog.js';
import { linkPending, type LinkResult } from './link-pending.js';
import type { WriterMetrics } from './writer-metrics.js';

/** Above 100 events a batch the time per event hardly falls; 1,000 keep a transaction around 100 ms. */
const MAX_EVENTS = 1000;
const MAX_WORKSPACES = 200;
const SWEEP_MS = 1000;

interface DrainLogger {
  info(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface DrainOptions {
  pool: Pool;
  logger: DrainLogger;
  metrics: WriterMetrics;
  sweepMs?: number;
  clock?: () => string;
}

/** Links everything that waits, whenever it is woken and every second without being woken. One batch at a time. */
export class Drain {
  private readonly backlog = new Backlog();
  private readonly loop: CoalescedLoop;
  private readonly sweepMs: number;
  /** Workspaces whose rows refused the last batch: tried alone, and kept out of liveness, which a restart could not mend. */
  private blocked: ReadonlySet<string> = new Set();
  private after = '';
  private measuredAt = -Infinity;
  private failing = false;

  constructor(private readonly options: DrainOptions) {
    this.sweepMs = options.sweepMs ?? SWEEP_MS;
    this.loop = new CoalescedLoop({
      pass: () => this.pass(),
      sweepMs: this.sweepMs,
      onError: (error) => this.reportFailure(error),
    });
  }

  start(): void {
    this.loop.start();
  }

  wake(): void {
    this.loop.wake();
  }

  /** Ends after the batch that runs. */
  stop(): Promise<void> {
    return this.loop.stop();
  }

  live(): CheckOutcome {
    return this.backlog.live();
  }

  /**
   * One more pass follows whenever anything was linked, not only a full batch: another writer may have been woken for
   * an event that this one's lock hid from it, and has left it to us.
   */
  private async pass(): Promise<boolean> {
    const { pool, metrics, clock = () => new Date().toISOString() } = this.options;
    await this.measureNowAndThen();
    const stopTimer = metrics.batchSeconds.startTimer();
    const result = await linkPending(pool, {
      maxWorkspaces: MAX_WORKSPACES,
      maxEvents: MAX_EVENTS,
      clock,
      after: this.after,
      alone: this.blocked,
    });
    stopTimer();
    this.after = result.last;
    this.report(result);
    return result.linked + result.quarantined.length > 0;
  }

  private async measureNowAndThen(): Promise<void> {
    if (performance.now() - this.measuredAt < this.sweepMs) return;
    await this.backlog.measure(this.options.pool, this.blocked);
    this.measuredAt = performance.now();
    this.options.metrics.lagSeconds.set(this.backlog.ageSeconds);
  }

  private report({ linked, quarantined, failed }: LinkResult): void {
    const { logger, metrics } = this.options;
    if (this.failing) logger.info({}, 'linking again');
    this.failing = false;
    metrics.linked.inc(linked);
    metrics.quarantined.inc(quarantined.length);
    for (const { workspace_id, event_id, reason } of quarantined) {
      logger.error({ workspace_id, event_id, reason, alert: 'audit_event_quarantined' }, 'event put into quarantine');
    }
    for (const { workspaceId, error } of failed) {
      if (this.blocked.has(workspaceId)) continue;
      logger.error({ workspace_id: workspaceId, err: error, alert: 'audit_chain_blocked' }, 'chain cannot be continued');
    }
    this.blocked = new Set(failed.map(({ workspaceId }) => workspaceId));
    metrics.blockedWorkspaces.set(this.blocked.size);
  }

  /** One line per outage: the sweep meets the same error every second. */
  private reportFailure(error: unknown): void {
    if (!this.failing) this.options.logger.error({ err: error }, 'linking failed; trying again every second');
    this.failing = true;
  }
}
