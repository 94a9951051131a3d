import type { OpenQueue, QueueBackend } from './backend.js';
import { settlesWithin, within } from './deadline.js';
import type { Outage } from './outage.js';
import type { QueueDefinition } from './queue-definition.js';

/** Long enough to merge the burst of one request wave, short against the time a batch takes to link. */
const FLUSH_MS = 25;
const SEND_MS = 2000;
/** Pause after a failure. The sweep of the workers covers what is dropped meanwhile. */
const BACK_OFF_MS = 1000;
const CLOSE_MS = 1000;

/** Fire and forget: tells the workers that a workspace has work. */
export interface WakeUps {
  /** Call after commit. Returns at once, never throws; a wake-up that cannot be sent is counted and dropped. */
  wake(workspaceId: string): void;
  /** Sends what is waiting, within two seconds, and closes. */
  close(): Promise<void>;
  readonly counts: { readonly sent: number; readonly dropped: number };
}

/**
 * Merges wake-ups in memory and sends them in bulk. The set is bounded by the number of workspaces.
 * `add` of BullMQ can wait for ever when the server is down at start, so no add is issued before the queue is
 * ready, and each one has its own deadline.
 */
export class CoalescedWakeUps implements WakeUps {
  readonly counts = { sent: 0, dropped: 0 };
  private readonly waiting = new Set<string>();
  private queue: OpenQueue | null = null;
  private timer: NodeJS.Timeout | null = null;
  private sending: Promise<void> | null = null;
  private closed = false;
  private retryAt = 0;

  constructor(
    private readonly definition: QueueDefinition,
    private readonly backend: QueueBackend,
    private readonly prepared: Promise<void>,
    private readonly outage: Outage,
  ) {}

  wake(workspaceId: string): void {
    if (this.closed) return;
    this.waiting.add(workspaceId);
    this.schedule();
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    if (this.timer) clearTimeout(this.timer);
    await this.sending;
    if (this.waiting.size > 0) await this.flush();
    if (this.queue) await settlesWithin(this.queue.close(), CLOSE_MS);
  }

  private schedule(): void {
    if (this.timer || this.sending) return;
    const pause = Math.max(FLUSH_MS, this.retryAt - Date.now());
    this.timer = setTimeout(() => {
      this.timer = null;
      this.sending = this.flush().finally(() => {
        this.sending = null;
        if (this.waiting.size > 0 && !this.closed) this.schedule();
      });
    }, pause);
    // A wake-up that waits must not hold a process that has nothing else to do.
    this.timer.unref();
  }

  /** Never rejects: a failure is counted, reported once per outage, and pushes the next attempt back. */
  private async flush(): Promise<void> {
    const workspaceIds = [...this.waiting];
    this.waiting.clear();
    const attempt = { abandoned: false };
    const mark = this.outage.mark();
    try {
      await within(this.send(workspaceIds, attempt), SEND_MS, `sending wake-ups to ${this.definition.name}`);
      this.counts.sent += workspaceIds.length;
      this.outage.recovered(mark);
    } catch (error) {
      attempt.abandoned = true;
      this.counts.dropped += workspaceIds.length;
      this.retryAt = Date.now() + BACK_OFF_MS;
      this.outage.failed(error);
    }
  }

  private async send(workspaceIds: string[], attempt: { abandoned: boolean }): Promise<void> {
    await this.prepared;
    const queue = await this.openedQueue();
    // After its deadline an attempt must not add any more, else every attempt of an outage would at its end.
    if (attempt.abandoned) return;
    await queue.add(workspaceIds);
  }

  private async openedQueue(): Promise<OpenQueue> {
    this.queue ??= this.backend.openQueue(this.definition, (error) => this.outage.failed(error));
    const queue = this.queue;
    try {
      await queue.ready();
      return queue;
    } catch (error) {
      if (this.queue === queue) this.queue = null;
      queue.close().catch(() => undefined);
      throw error;
    }
  }
}
