import { Client } from 'pg';
import { connectQueues, type QueueConnection } from './connect-queues.js';
import { auditLink } from './queue-catalogue.js';
import { postgresForTest } from './testing/backends.js';
import { eventually } from './testing/eventually.js';
import { freePort } from './testing/redis-server.js';
import { tcpGate } from './testing/tcp-gate.js';

describe('queues while postgres has faults', () => {
  let backend: Awaited<ReturnType<typeof postgresForTest>>;
  let running: QueueConnection[];

  beforeEach(async () => {
    running = [];
    backend = await postgresForTest();
  });
  afterEach(async () => {
    await Promise.all(running.map((connection) => connection.close()));
    await backend.remove();
  });

  async function connect(url: string, faults: string[] = []): Promise<QueueConnection> {
    const connection = await connectQueues({ url, onError: (_error, fault) => faults.push(fault.during) });
    running.push(connection);
    return connection;
  }

  const gateBefore = async (url: string) => {
    const target = new URL(url);
    const gate = tcpGate(await freePort(), { host: target.hostname, port: Number(target.port) });
    target.hostname = '127.0.0.1';
    target.port = String(gate.port);
    return { gate, url: target.toString() };
  };

  it('creates its tables in its own schema only, once for several processes that start together', async () => {
    await Promise.all([1, 2, 3, 4].map(() => connect(backend.url)));
    const client = new Client({ connectionString: backend.url });
    await client.connect();
    const { rows } = await client.query<{ schema: string }>(
      `select distinct schemaname as schema from pg_tables where tablename in ('job', 'migration') and schemaname = any($1)`,
      [[backend.schema, 'public', 'bullmq']],
    );
    expect(rows).toEqual([{ schema: backend.schema }]);
    await client.end();
  });

  it('needs CREATE on the database only while there is something to migrate', async () => {
    const admin = new Client({ connectionString: backend.url });
    await admin.connect();
    const { rows } = await admin.query<{ name: string }>('select quote_ident(current_database()) as name');
    const database = rows[0]?.name ?? '';
    const role = `${backend.schema}_role`;
    await admin.query(`create role ${role} login password 'p'`);
    const url = new URL(backend.url);
    url.username = role;
    url.password = 'p';

    await admin.query(`grant create on database ${database} to ${role}`);
    await (await connect(url.toString())).close();
    await admin.query(`revoke create on database ${database} from ${role}`);
    const faults: string[] = [];
    const connection = await connect(url.toString(), faults);
    const seen: (string | null)[] = [];
    connection.consumer(auditLink, (id) => void seen.push(id), { concurrency: 1 });
    connection.producer(auditLink).wake('w1');
    await eventually('delivered', () => seen.includes('w1'));
    expect(faults).toEqual([]);

    await connection.close();
    await admin.query(`drop owned by ${role} cascade`);
    await admin.query(`drop role ${role}`);
    await admin.end();
  });

  it('starts with postgres down, and works through two outages, one report each', async () => {
    const { gate, url } = await gateBefore(backend.url);
    const faults: string[] = [];
    const connection = await connect(url, faults);
    const wakeFaults = () => faults.filter((during) => during === 'wake').length;
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
        return seen.includes(id);
      });
      expect(wakeFaults()).toBe(outage);
      await gate.shut();
    }
  });

  it('O4: closes while postgres is down', async () => {
    const { gate, url } = await gateBefore(backend.url);
    await gate.open();
    const connection = await connect(url);
    connection.consumer(auditLink, () => undefined, { concurrency: 1 });
    const producer = connection.producer(auditLink);
    producer.wake('w1');
    await eventually('sent', () => producer.counts.sent === 1);
    await gate.shut();
    await connection.close();
    const never = await connect(url);
    never.consumer(auditLink, () => undefined, { concurrency: 1 });
    await never.close();
  });
});
