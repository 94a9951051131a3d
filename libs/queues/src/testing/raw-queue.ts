import { Queue, createPostgresBackend, withBackend } from 'bullmq';
import { Redis } from 'ioredis';
import { parseQueueUrl } from '../queue-address.js';

/** BullMQ's own queue, to put into it what a producer of ours never would. */
export interface RawQueue {
  add(data: unknown): Promise<string>;
  counts(): Promise<Record<string, number>>;
  jobs(): Promise<unknown[]>;
  close(): Promise<void>;
}

export function rawQueue(url: string, name: string): RawQueue {
  const address = parseQueueUrl(url);
  if (address.kind === 'redis') {
    const client = new Redis(address.url, { maxRetriesPerRequest: null });
    const queue = new Queue(name, { connection: client, prefix: address.prefix });
    return wrap(queue, async () => void (await client.quit()));
  }
  const { Queue: PostgresQueue } = withBackend(createPostgresBackend);
  return wrap(
    new PostgresQueue(name, { connection: { connectionString: address.url, schema: address.schema, max: 1 } }),
  );
}

interface BullQueue {
  add(name: string, data: unknown): Promise<{ id?: string | undefined }>;
  getJobCounts(): Promise<Record<string, number>>;
  getJobs(): Promise<{ data: unknown }[]>;
  close(): Promise<void>;
}

function wrap(queue: BullQueue, after: () => Promise<void> = () => Promise.resolve()): RawQueue {
  return {
    add: async (data) => (await queue.add('raw', data)).id ?? '',
    counts: () => queue.getJobCounts(),
    jobs: async () => (await queue.getJobs()).map((job) => job.data),
    close: async () => {
      await queue.close();
      await after();
    },
  };
}
