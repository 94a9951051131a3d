import { createTestRedis, type TestRedis } from '@perdure/testkit';
import { Redis } from 'ioredis';
import { connectQueues, type QueueConnection } from './connect-queues.js';
import { auditLink } from './queue-catalogue.js';
import { BACKEND_KINDS } from './testing/backend-kinds.js';
import { eventually } from './testing/eventually.js';
import { rawQueue } from './testing/raw-queue.js';

/** What a process under test holds: a producer, a consumer and what they reported. */
interface Process {
  connection: QueueConnection;
  wake(id: string): void;
  counts: { sent: number; dropped: number };
  seen: (string | null)[];
  wakeFaults(): number;
  /** A wake-up failed and none has been sent since. */
  isDown(): boolean;
}

describe('queues with nothing behind their url', () => {
  it('Q17: serve: a wake-up returns at once and is dropped, readiness says so, and closing works', async () => {
    const faults: string[] = [];
    const connection = await connectQueues({
      url: 'redis://127.0.0.1:1',
      onError: (_error, fault) => faults.push(fault.during),
    });
    connection.consumer(auditLink, () => undefined, { concurrency: 1 });
    const producer = connection.producer(auditLink);
    producer.wake('lost');
    await eventually('dropped', () => producer.counts.dropped === 1);
    expect(await connection.readiness()).toEqual({ ok: false, detail: 'redis did not answer within 1000 ms' });
    await connection.close();
    expect(faults.toSorted()).toEqual(['connect', 'wake', 'work']);
  });
});

// A run that was asked for the other backend may be on a machine without Redis.
if (BACKEND_KINDS.includes('redis')) describe('queues while redis has faults', redisFaults);

function redisFaults() {
  let server: TestRedis;
  let admin: Redis;
  let running: QueueConnection[];

  beforeEach(async () => {
    running = [];
    server = await createTestRedis();
    admin = new Redis(server.url);
    admin.on('error', () => undefined);
  });
  afterEach(async () => {
    await Promise.all(running.map((connection) => connection.close()));
    admin.disconnect();
    await server.drop();
  });

  async function startProcess(): Promise<Process> {
    const faults: string[] = [];
    let ends = 0;
    const connection = await connectQueues({
      url: server.url,
      onError: (_error, fault) => faults.push(fault.during),
      logger: { info: (fields) => void (ends += 'during' in fields && fields.during === 'wake' ? 1 : 0) },
    });
    running.push(connection);
    const seen: (string | null)[] = [];
    connection.consumer(auditLink, (id) => void seen.push(id), { concurrency: 2 });
    const producer = connection.producer(auditLink);
    const wakeFaults = () => faults.filter((during) => during === 'wake').length;
    return {
      connection,
      wake: (id) => producer.wake(id),
      counts: producer.counts,
      seen,
      wakeFaults,
      isDown: () => wakeFaults() > ends,
    };
  }

  /** Wakes again and again, as a living product does, until one wake-up comes through. */
  const untilDelivered = (process: Process, id: string) =>
    eventually(`${id} is delivered`, () => {
      process.wake(id);
      // Seen alone is not enough: an add that was given up can still have arrived.
      return process.seen.includes(id) && !process.isDown();
    });

  it('Q17: starts with redis down, reports the outage once, and works when redis comes up', async () => {
    await server.kill();
    const process = await startProcess();
    process.wake('lost');
    await eventually('dropped', () => process.counts.dropped === 1);
    process.wake('lost too');
    await eventually('dropped again', () => process.counts.dropped === 2);
    expect(process.wakeFaults()).toBe(1);
    await server.start();
    await untilDelivered(process, 'w1');
    await eventually('ready', async () => (await process.connection.readiness()).ok);
    expect(process.seen).not.toContain('lost');
  });

  // The worker's blocking read lasts 5 s: BullMQ before 6.3.3 never came back from an outage longer than that.
  it('Q18, Q19: goes on after redis was killed and away for 3 s and for 10 s, one report per outage', async () => {
    const process = await startProcess();
    await untilDelivered(process, 'w1');
    for (const [outage, seconds] of [
      [1, 3],
      [2, 10],
    ] as const) {
      await server.kill();
      await eventually('a wake-up is dropped', () => {
        process.wake('lost');
        return process.wakeFaults() === outage;
      });
      process.wake('lost again');
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
      await server.start();
      await untilDelivered(process, `after outage ${outage}`);
      expect(process.wakeFaults()).toBe(outage);
    }
  });

  it('Q18: neither throws nor hangs while redis accepts connections and answers nothing', async () => {
    const process = await startProcess();
    await untilDelivered(process, 'w1');
    await admin.client('PAUSE', 60_000, 'ALL');
    process.wake('lost');
    await eventually('given up', () => process.counts.dropped > 0);
    expect((await process.connection.readiness()).ok).toBe(false);
    await process.connection.close();
  });

  it('Q10, Q16: survives FLUSHALL, a lost wait list, and a job whose key was lost or spoilt', async () => {
    const process = await startProcess();
    await untilDelivered(process, 'w1');
    await admin.flushall();
    await untilDelivered(process, 'w2');
    await process.connection.close();

    const raw = rawQueue(server.url, auditLink.name);
    await raw.add({ workspace_id: 'w0' });
    await admin.del(`perdure:${auditLink.name}:wait`);
    const [lost, spoilt] = [await raw.add({ workspace_id: 'w3' }), await raw.add({ workspace_id: 'w4' })];
    await admin.del(`perdure:${auditLink.name}:${lost}`);
    await admin.hset(`perdure:${auditLink.name}:${spoilt}`, 'data', '{not json');
    const successor = await startProcess();
    await untilDelivered(successor, 'w5');
    expect(successor.seen).not.toContain('w3');
    // Later wake-ups come through as well: under a lost deduplication key, each would be swallowed.
    await untilDelivered(successor, 'w6');
    await raw.close();
  });

  it('Q14: drops wake-ups, and only those, when redis is out of memory', async () => {
    const process = await startProcess();
    await untilDelivered(process, 'w1');
    await admin.config('SET', 'maxmemory', '1');
    process.wake('lost');
    await eventually('dropped', () => process.counts.dropped > 0);
    await admin.config('SET', 'maxmemory', '0');
    await untilDelivered(process, 'w2');
  });

  it('O3, Q15: is not ready under an evicting policy, and names it', async () => {
    await admin.config('SET', 'maxmemory-policy', 'allkeys-lru');
    const { connection } = await startProcess();
    await eventually('asked', async () => (await connection.readiness()).detail.includes('allkeys-lru'));
    const readiness = await connection.readiness();
    expect(readiness.ok).toBe(false);
    expect(readiness.detail).toContain('noeviction');
  });
}
