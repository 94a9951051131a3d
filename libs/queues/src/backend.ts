import type { QueueDefinition } from './queue-definition.js';

export type QueueKind = 'redis' | 'postgres';

/** Outcome of a readiness check. `detail` names no host and no user. */
export interface QueueReadiness {
  ok: boolean;
  detail: string;
}

/** A queue opened for adding. */
export interface OpenQueue {
  /** Rejects for good when the first connection failed on Postgres: BullMQ memoises it. Then open another. */
  ready(): Promise<unknown>;
  add(workspaceIds: readonly string[]): Promise<unknown>;
  close(): Promise<void>;
}

/** A worker that is already fetching jobs. */
export interface OpenWorker {
  ready(): Promise<unknown>;
  /** Waits for the running jobs, without a limit. */
  close(): Promise<void>;
  /** Drops the connections under it. Running handlers go on without it. */
  abandon(): Promise<void>;
}

export interface WorkerSignals {
  process(data: unknown): Promise<void>;
  failed(error: Error): void;
  /** The worker spoke to its backend: an outage, if there was one, is over. */
  alive(): void;
  concurrency: number;
}

/** Redis or Postgres under BullMQ. Opening never blocks and never throws because the server is down. */
export interface QueueBackend {
  readonly kind: QueueKind;
  /** One attempt to make the backend usable (Postgres: migrations). Rejects when it cannot. */
  prepare(): Promise<void>;
  openQueue(definition: QueueDefinition, failed: (error: Error) => void): OpenQueue;
  openWorker(definition: QueueDefinition, signals: WorkerSignals): OpenWorker;
  readiness(): Promise<QueueReadiness>;
  close(): Promise<void>;
}

/** Jobs for a set of wake-ups. No job id and no deduplication: both lose the wake-up that arrives while a job runs. */
export function wakeUpJobs(definition: QueueDefinition, workspaceIds: readonly string[]) {
  return workspaceIds.map((workspaceId) => ({
    name: definition.name,
    data: { workspace_id: workspaceId },
    opts: { attempts: 1, removeOnComplete: true, removeOnFail: definition.retention.failedCount },
  }));
}

/**
 * Retention is repeated on the worker, so that a job added by hand or emptied by a fault is not kept for ever.
 * After a refused connection BullMQ sleeps 15 s by default, also when the outage ended after one; two are enough.
 */
export function workerOptions(definition: QueueDefinition) {
  return {
    removeOnComplete: { count: 0 },
    removeOnFail: { count: definition.retention.failedCount },
    runRetryDelay: 2000,
  };
}
