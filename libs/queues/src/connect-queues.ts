import type { QueueBackend, QueueKind, QueueReadiness } from './backend.js';
import { SupervisedConsumer, type Consumer, type WakeHandler } from './consumer.js';
import { settlesWithin } from './deadline.js';
import { Outage, type QueueLogger, type ReportFault } from './outage.js';
import { PostgresBackend } from './postgres-backend.js';
import { parseQueueUrl } from './queue-address.js';
import type { QueueDefinition } from './queue-definition.js';
import { RedisBackend } from './redis-backend.js';
import { CoalescedWakeUps, type WakeUps } from './wake-ups.js';

/** How long connecting waits for a Postgres that is there; a missing one is retried behind the caller's back. */
const FIRST_PREPARE_MS = 5000;
const PREPARE_AGAIN_MS = 1000;
const CLOSE_CONSUMER_MS = 5000;
const CLOSE_BACKEND_MS = 2000;

export interface QueueOptions {
  /** See parseQueueUrl for the forms. */
  url: string;
  /** Called at most once per outage and queue. */
  onError: ReportFault;
  logger?: QueueLogger;
}

export interface QueueConnection {
  readonly kind: QueueKind;
  producer(queue: QueueDefinition): WakeUps;
  consumer(queue: QueueDefinition, handler: WakeHandler, options: { concurrency: number }): Consumer;
  /** Answers within about two seconds, never rejects. */
  readiness(): Promise<QueueReadiness>;
  /** Workers, then producers, then connections. Bounded: about ten seconds when the backend is gone. */
  close(): Promise<void>;
}

/**
 * Connects to the queue backend. Works with the server down: producers then drop, consumers wait, and both go on
 * by themselves when it is back. Rejects only when the url cannot be read.
 */
export async function connectQueues(options: QueueOptions): Promise<QueueConnection> {
  const connection = new Connection(options);
  await connection.firstAttempt();
  return connection;
}

class Connection implements QueueConnection {
  private readonly backend: QueueBackend;
  private readonly outage: Outage;
  private readonly prepared: Promise<void>;
  private readonly producers: WakeUps[] = [];
  private readonly consumers: Consumer[] = [];
  private closing: Promise<void> | null = null;

  constructor(private readonly options: QueueOptions) {
    this.outage = new Outage({ queue: null, during: 'connect' }, options.onError, options.logger);
    this.backend = this.openBackend(options.url);
    this.prepared = this.prepare();
  }

  get kind(): QueueKind {
    return this.backend.kind;
  }

  async firstAttempt(): Promise<void> {
    await settlesWithin(this.prepared, FIRST_PREPARE_MS);
  }

  producer(queue: QueueDefinition): WakeUps {
    const outage = new Outage({ queue: queue.name, during: 'wake' }, this.options.onError, this.options.logger);
    const producer = new CoalescedWakeUps(queue, this.backend, this.prepared, outage);
    this.producers.push(producer);
    return producer;
  }

  consumer(queue: QueueDefinition, handler: WakeHandler, { concurrency }: { concurrency: number }): Consumer {
    const outage = new Outage({ queue: queue.name, during: 'work' }, this.options.onError, this.options.logger);
    const consumer = new SupervisedConsumer(queue, this.backend, handler, concurrency, outage, this.prepared);
    this.consumers.push(consumer);
    return consumer;
  }

  readiness(): Promise<QueueReadiness> {
    return this.backend.readiness();
  }

  close(): Promise<void> {
    this.closing ??= this.closeAll();
    return this.closing;
  }

  private async closeAll(): Promise<void> {
    await Promise.all(this.consumers.map((consumer) => consumer.close(CLOSE_CONSUMER_MS)));
    await Promise.all(this.producers.map((producer) => producer.close()));
    await settlesWithin(this.backend.close(), CLOSE_BACKEND_MS);
  }

  private openBackend(url: string): QueueBackend {
    const address = parseQueueUrl(url);
    const failed = (error: Error) => this.outage.failed(error);
    if (address.kind === 'postgres') return new PostgresBackend(address, failed);
    return new RedisBackend(address, failed, () => this.outage.recovered());
  }

  /** Repeats until it worked or the connection is closed: then it stays pending, and nobody waits any more. */
  private async prepare(): Promise<void> {
    for (;;) {
      try {
        await this.backend.prepare();
        this.outage.recovered();
        return;
      } catch (error) {
        this.outage.failed(error);
      }
      await pause(PREPARE_AGAIN_MS);
      if (this.closing) await new Promise<never>(() => undefined);
    }
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}
