import { createTestDatabase, createTestQueue, type TestQueue } from '@perdure/testkit';
import { Client } from 'pg';
import { connectQueues, type QueueConnection } from './connect-queues.js';
import { auditLink } from './queue-catalogue.js';
import { eventually } from './testing/eventually.js';
import { tcpGate } from './testing/tcp-gate.js';

describe('queues while postgres has faults', () => {
  let backend: TestQueue;
  let running: QueueConnection[];

  beforeEach(async () => {
    running = [];
    backend = await createTestQueue('postgres');
  });
  afterEach(async () => {
    await Promise.all(running.map((connection) => connection.close()));
    await backend.drop();
  });

  async function connect(url: string, faults: string[] = [], ends: object[] = []): Promise<QueueConnection> {
    const connection = await connectQueues({
      url,
      onError: (_error, fault) => faults.push(fault.during),
      logger: { info: (fields) => ends.push(fields) },
    });
    running.push(connection);
    return connection;
  }

  it('creates its tables in its own schema only, once for several processes that start together', async () => {
    await Promise.all([1, 2, 3, 4].map(() => connect(backend.url)));
    const client = new Client({ connectionString: backend.url });
    await client.connect();
    const { rows } = await client.query<{ schema: string }>(
      `select distinct schemaname as schema from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`,
    );
    expect(rows).toEqual([{ schema: 'perdure_queue' }]);
    await client.end();
  });

  it('is content with a role that owns its schema and may create no other', async () => {
    const database = await createTestDatabase();
    const url = new URL(backend.url);
    url.pathname = `/${database.name}`;
    const client = new Client({ connectionString: url.toString() });
    await client.connect();
    await expect(client.query('create schema another')).rejects.toThrow('permission denied');
    await expect(client.query('create temp table another ()')).rejects.toThrow('permission denied');
    await client.end();

    const faults: string[] = [];
    const connection = await connect(url.toString(), faults);
    const seen: (string | null)[] = [];
    connection.consumer(auditLink, (id) => void seen.push(id), { concurrency: 1 });
    connection.producer(auditLink).wake('w1');
    await eventually('delivered', () => seen.includes('w1'));
    expect(faults).toEqual([]);
    await connection.close();
    await database.drop();
  });

  it('Q17, Q18, Q19: starts with postgres down, and works through two outages, one report each', async () => {
    const gate = await tcpGate(backend.url);
    const faults: string[] = [];
    const ends: object[] = [];
    const connection = await connect(gate.url, faults, ends);
    const wakeFaults = () => faults.filter((during) => during === 'wake').length;
    const wakeEnds = () => ends.filter((fields) => 'during' in fields && fields.during === 'wake').length;
    const producer = connection.producer(auditLink);
    const seen: (string | null)[] = [];
    connection.consumer(auditLink, (id) => void seen.push(id), { concurrency: 1 });
    for (const outage of [1, 2]) {
      await eventually('a wake-up is dropped', () => {
        producer.wake('lost');
        return wakeFaults() === outage;
      });
      expect((await connection.readiness()).ok).toBe(false);
      await gate.open();
      const id = `after outage ${outage}`;
      await eventually(`${id} is delivered`, () => {
        producer.wake(id);
        // Seen alone is not enough: an add that was given up can still have arrived.
        return seen.includes(id) && wakeEnds() === outage;
      });
      expect(wakeFaults()).toBe(outage);
      await gate.shut();
    }
  });

  it('O4: closes while postgres is down', async () => {
    const gate = await tcpGate(backend.url);
    await gate.open();
    const connection = await connect(gate.url);
    connection.consumer(auditLink, () => undefined, { concurrency: 1 });
    const producer = connection.producer(auditLink);
    producer.wake('w1');
    await eventually('sent', () => producer.counts.sent === 1);
    await gate.shut();
    await connection.close();
    const never = await connect(gate.url);
    never.consumer(auditLink, () => undefined, { concurrency: 1 });
    await never.close();
  });
});
