import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import {
  wakeUpJobs,
  workerOptions,
  type OpenQueue,
  type OpenWorker,
  type QueueBackend,
  type QueueReadiness,
  type WorkerSignals,
} from './backend.js';
import { within } from './deadline.js';
import type { RedisAddress } from './queue-address.js';
import type { QueueDefinition } from './queue-definition.js';
import { RECONNECT, redisForCommands } from './redis-client.js';

const READINESS_MS = 1000;

/**
 * BullMQ on Redis. The clients are ours, so that closing never waits for a server that is gone:
 * one client for everything that is added or asked, and one per worker (BullMQ duplicates it for its blocking read).
 */
export class RedisBackend implements QueueBackend {
  readonly kind = 'redis';
  private readonly commands: Redis;
  private readonly workerClients = new Set<Redis>();

  constructor(
    private readonly address: RedisAddress,
    failed: (error: Error) => void,
    alive: () => void,
  ) {
    this.commands = redisForCommands(address, failed);
    this.commands.on('ready', alive);
  }

  async prepare(): Promise<void> {
    // Nothing to create; ioredis keeps connecting by itself.
  }

  openQueue(definition: QueueDefinition, failed: (error: Error) => void): OpenQueue {
    const queue = new Queue(definition.name, { connection: this.commands, prefix: this.address.prefix });
    queue.on('error', failed);
    return {
      ready: () => queue.waitUntilReady(),
      add: (workspaceIds) => queue.addBulk(wakeUpJobs(definition, workspaceIds)),
      close: () => queue.close(),
    };
  }

  openWorker(definition: QueueDefinition, signals: WorkerSignals): OpenWorker {
    // A worker's connection retries for ever: BullMQ requires null here.
    const client = new Redis(this.address.url, { ...RECONNECT, maxRetriesPerRequest: null });
    client.on('error', signals.failed);
    client.on('ready', signals.alive);
    this.workerClients.add(client);
    const worker = new Worker(definition.name, async (job) => signals.process(job.data), {
      connection: client,
      prefix: this.address.prefix,
      concurrency: signals.concurrency,
      ...workerOptions(definition),
    });
    worker.on('error', signals.failed);
    worker.on('failed', (_job, error) => signals.failed(error));
    worker.on('active', signals.alive);
    const disconnect = () => {
      client.disconnect();
      this.workerClients.delete(client);
    };
    return {
      ready: () => worker.waitUntilReady(),
      close: async () => {
        await worker.close();
        disconnect();
      },
      abandon: async () => {
        // `worker.close(true)` would return the graceful close that is already stuck.
        const closing = worker.getBackend().close(true);
        disconnect();
        await closing;
      },
    };
  }

  async readiness(): Promise<QueueReadiness> {
    try {
      await within(this.commands.ping(), READINESS_MS, 'the answer of redis');
      const memory = await within(this.commands.info('memory'), READINESS_MS, 'the answer of redis');
      return judgePolicy(/^maxmemory_policy:(\S+)/m.exec(memory)?.[1]);
    } catch {
      return { ok: false, detail: `redis did not answer within ${READINESS_MS} ms` };
    }
  }

  async close(): Promise<void> {
    for (const client of [this.commands, ...this.workerClients]) client.disconnect();
    this.workerClients.clear();
  }
}

/** With an evicting policy Redis drops jobs silently: of 5,000 accepted adds none was processed under allkeys-lru. */
function judgePolicy(policy: string | undefined): QueueReadiness {
  if (policy === undefined) return { ok: true, detail: 'redis answers; it does not tell its maxmemory-policy' };
  if (policy === 'noeviction') return { ok: true, detail: 'redis answers' };
  return { ok: false, detail: `redis has maxmemory-policy ${policy}; set it to noeviction, else it drops queued jobs` };
}
