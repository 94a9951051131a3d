import type { CheckOutcome } from '../health/readiness.js';
import { CoalescedLoop } from './coalesced-loop.js';

/** The piece of work that has waited longest. */
export interface WaitingWork {
  /** The same for as long as it is the same piece. */
  key: string;
  ageSeconds: number;
}

export interface DrainLoopOptions {
  /** Verb of the log lines and of the liveness detail, as in "linking failed". */
  doing: string;
  /** One bounded piece of work; true when another should follow at once. */
  pass: () => Promise<boolean>;
  /** Asks the database for what has waited longest; null when nothing waits. */
  oldest: () => Promise<WaitingWork | null>;
  /** Waiting for longer under this process's eyes means that it does not do its work. */
  stuckMs: number;
  sweepMs?: number;
  logger: { info(fields: object, message: string): void; error(fields: object, message: string): void };
  /** Told the age in seconds at every measurement. */
  onAge: (seconds: number) => void;
  /** Milliseconds of a clock that does not jump. */
  now?: () => number;
}

const SWEEP_MS = 1000;

/**
 * A worker's loop over work that waits in the database: when woken, and every second without being woken.
 *
 * Liveness comes from the waiting work and from nothing else: neither a running loop nor an answering queue says that
 * work gets done. It is judged by a piece that this very process has seen waiting for too long, so neither a fresh
 * start nor the end of a database outage, with their old backlogs, looks like a stuck worker.
 */
export class DrainLoop {
  private readonly loop: CoalescedLoop;
  private readonly sweepMs: number;
  private readonly now: () => number;
  private measuredAt = -Infinity;
  private oldest: (WaitingWork & { seenAt: number }) | null = null;
  private failing = false;

  constructor(private readonly options: DrainLoopOptions) {
    this.sweepMs = options.sweepMs ?? SWEEP_MS;
    this.now = options.now ?? (() => performance.now());
    this.loop = new CoalescedLoop({
      pass: () => this.pass(),
      sweepMs: this.sweepMs,
      onError: (error) => this.reportFailure(error),
    });
  }

  start(): void {
    this.loop.start();
  }

  /** Asks for a run; surplus ones cost nothing. */
  wake(): void {
    this.loop.wake();
  }

  /** Ends after the pass that runs. */
  stop(): Promise<void> {
    return this.loop.stop();
  }

  /** For /healthz: asks nobody. */
  live(): CheckOutcome {
    if (!this.oldest || this.now() - this.oldest.seenAt <= this.options.stuckMs) return { ok: true };
    return {
      ok: false,
      detail: `${this.options.doing} is stuck: something has waited ${Math.round(this.oldest.ageSeconds)} s`,
    };
  }

  private async pass(): Promise<boolean> {
    if (this.now() - this.measuredAt >= this.sweepMs) await this.measure();
    const more = await this.options.pass();
    if (this.failing) this.options.logger.info({}, `${this.options.doing} again`);
    this.failing = false;
    return more;
  }

  private async measure(): Promise<void> {
    const found = await this.options.oldest();
    this.measuredAt = this.now();
    this.options.onAge(found?.ageSeconds ?? 0);
    const seenAt = found && this.oldest?.key === found.key ? this.oldest.seenAt : this.now();
    this.oldest = found && { ...found, seenAt };
  }

  /** One line per outage: the sweep meets the same error every second. */
  private reportFailure(error: unknown): void {
    // What was seen before an outage says nothing about this process afterwards.
    this.oldest = null;
    if (!this.failing)
      this.options.logger.error({ err: error }, `${this.options.doing} failed; trying again every second`);
    this.failing = true;
  }
}
