import { createTestQueue, createTestRedis, type TestRedis } from '@perdure/testkit';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import { connectQueues, type QueueConnection } from './connect-queues.js';
import { auditLink } from './queue-catalogue.js';
import { BACKEND_KINDS } from './testing/backend-kinds.js';
import { eventually } from './testing/eventually.js';

const PREFIX = `perdure:${auditLink.name}:`;

// A run that was asked for the other backend may be on a machine without Redis.
if (BACKEND_KINDS.includes('redis')) describe('what wake-ups leave in redis', redisContents);
if (BACKEND_KINDS.includes('postgres')) describe('what wake-ups leave in postgres', postgresContents);

function redisContents() {
  let server: TestRedis;
  let admin: Redis;
  let connection: QueueConnection;

  beforeEach(async () => {
    server = await createTestRedis();
    admin = new Redis(server.url);
    admin.on('error', () => undefined);
    connection = await connectQueues({ url: server.url, onError: () => undefined });
  });
  afterEach(async () => {
    await connection.close();
    admin.disconnect();
    await server.drop();
  });

  const wakeAll = async (workspaceIds: readonly string[]) => {
    const producer = connection.producer(auditLink);
    for (const id of workspaceIds) producer.wake(id);
    await eventually('all sent', () => producer.counts.sent === workspaceIds.length);
  };

  it('Q6, Q7, Q8, Q9, Q11, Q22, Q25: plain jobs with a running number and a workspace id, and nothing else', async () => {
    await wakeAll(['w1', 'w2', 'w3']);
    // No key of a deduplication (`de:…`), of a group, of a limiter, of a scheduler: the list is complete.
    const keys = ['1', '2', '3', 'events', 'id', 'marker', 'meta', 'wait'];
    expect((await admin.keys('*')).toSorted()).toEqual(keys.map((key) => PREFIX + key));
    const jobs = await Promise.all(['1', '2', '3'].map((id) => admin.hgetall(PREFIX + id)));
    expect(jobs.map(({ data }) => data)).toEqual(['w1', 'w2', 'w3'].map((id) => JSON.stringify({ workspace_id: id })));
    for (const { data: _data, timestamp, opts, ...rest } of jobs) {
      expect(timestamp).toMatch(/^\d{13}$/);
      expect(JSON.parse(opts ?? '')).toEqual({ attempts: 1, removeOnComplete: true, removeOnFail: 1000 });
      expect(rest).toEqual({ name: auditLink.name, delay: '0', priority: '0' });
    }
  });

  it('Q21: no limit on the queue as a whole: its settings are those of BullMQ', async () => {
    await wakeAll(['w1']);
    connection.consumer(auditLink, () => undefined, { concurrency: 4 });
    await eventually('worked off', async () => (await admin.exists(`${PREFIX}1`)) === 0);
    expect(Object.keys(await admin.hgetall(`${PREFIX}meta`)).toSorted()).toEqual(['opts.maxLenEvents', 'version']);
  });

  it('Q13: memory stays flat, however many wake-ups went through', async () => {
    connection.consumer(auditLink, () => undefined, { concurrency: 50 });
    const producer = connection.producer(auditLink);
    const passThrough = async (count: number) => {
      for (let sent = 0; sent < count; sent += 500) {
        const before = producer.counts.sent + producer.counts.dropped;
        for (let index = 0; index < 500; index += 1) producer.wake(`w${before + index}`);
        await eventually('sent', () => producer.counts.sent + producer.counts.dropped === before + 500);
      }
      await eventually('worked off', async () => (await admin.llen(`${PREFIX}wait`)) === 0);
    };
    const usedMemory = async () => Number(/^used_memory:(\d+)/m.exec(await admin.info('memory'))?.[1]);
    // BullMQ's stream of events grows up to 10,000 entries; three of them belong to a job.
    await passThrough(3500);
    const before = await usedMemory();
    await passThrough(5000);
    // 20 MB for 100,000 are 200 bytes for each. A completed job that is kept takes 1,297.
    expect((await usedMemory()) - before).toBeLessThan(5000 * 200);
  });
}

function postgresContents() {
  it('Q6, Q7, Q8, Q9, Q11, Q25: plain jobs with a running number and a workspace id, and nothing else', async () => {
    const queue = await createTestQueue('postgres');
    const connection = await connectQueues({ url: queue.url, onError: () => undefined });
    const producer = connection.producer(auditLink);
    for (const id of ['w1', 'w2', 'w3']) producer.wake(id);
    await eventually('all sent', () => producer.counts.sent === 3);
    const client = new Client({ connectionString: queue.url });
    await client.connect();
    const { rows } = await client.query('SELECT id, name, data, opts FROM perdure_queue.job ORDER BY data');
    expect(rows).toEqual(
      ['w1', 'w2', 'w3'].map((id) => ({
        id: expect.stringMatching(/^\d+$/),
        name: auditLink.name,
        data: { workspace_id: id },
        opts: { attempts: 1, removeOnComplete: true, removeOnFail: 1000 },
      })),
    );
    expect((await client.query('SELECT FROM perdure_queue.dedup')).rowCount).toBe(0);
    await client.end();
    await connection.close();
    await queue.drop();
  });
}
