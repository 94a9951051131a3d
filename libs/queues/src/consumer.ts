import type { OpenWorker, QueueBackend } from './backend.js';
import { settlesWithin } from './deadline.js';
import type { Outage } from './outage.js';
import type { QueueDefinition } from './queue-definition.js';

const REOPEN_MS = 1000;
const ABANDON_MS = 1000;

/** Called per job, with null when the job carries no readable workspace id: then look everywhere. */
export type WakeHandler = (workspaceId: string | null) => Promise<void> | void;

export interface Consumer {
  /** Waits for running handlers up to `deadlineMs`, then drops the connections. Takes a second longer at most. */
  close(deadlineMs: number): Promise<void>;
}

/** A worker that is opened as soon as the backend is usable, and again when its first connection failed. */
export class SupervisedConsumer implements Consumer {
  private worker: OpenWorker | null = null;
  private timer: NodeJS.Timeout | null = null;
  private closing: Promise<void> | null = null;

  constructor(
    private readonly definition: QueueDefinition,
    private readonly backend: QueueBackend,
    private readonly handler: WakeHandler,
    private readonly concurrency: number,
    private readonly outage: Outage,
    prepared: Promise<void>,
  ) {
    prepared.then(
      () => this.open(),
      () => undefined,
    );
  }

  close(deadlineMs: number): Promise<void> {
    this.closing ??= this.stop(deadlineMs);
    return this.closing;
  }

  private async stop(deadlineMs: number): Promise<void> {
    if (this.timer) clearTimeout(this.timer);
    const worker = this.worker;
    if (!worker) return;
    if (await settlesWithin(worker.close(), deadlineMs)) return;
    await settlesWithin(worker.abandon(), ABANDON_MS);
  }

  private open(): void {
    if (this.closing) return;
    const worker = this.backend.openWorker(this.definition, {
      concurrency: this.concurrency,
      process: (data) => this.process(data),
      failed: (error) => this.outage.failed(error),
      alive: () => this.outage.recovered(),
    });
    this.worker = worker;
    worker.ready().catch((error: unknown) => this.reopen(worker, error));
  }

  private reopen(worker: OpenWorker, error: unknown): void {
    if (this.closing) return;
    this.outage.failed(error);
    this.worker = null;
    worker.abandon().catch(() => undefined);
    this.timer = setTimeout(() => this.open(), REOPEN_MS);
  }

  /** Redis can hand over a job whose key it lost: its data is then `{}`, and its name null. */
  private async process(data: unknown): Promise<void> {
    const parsed = this.definition.payload.safeParse(data);
    await this.handler(parsed.success ? parsed.data.workspace_id : null);
  }
}
