import { auditLink, connectQueues, type QueueConnection } from '@perdure/queues';
import {
  createTestQueue,
  createTestRedis,
  startApp,
  testQueueKind,
  type TestApp,
  type TestQueue,
  type TestRedis,
  type TestWorkspace,
} from '@perdure/testkit';
import { openAuditBench, type AuditBench } from './testing/audit-bench.js';
import { eventually } from './testing/eventually.js';

// Several processes and thousands of commits: on a busy machine more than the usual minute.
jest.setTimeout(180_000);

describe('audit-writer as processes', () => {
  let bench: AuditBench;
  let queue: TestQueue;
  let apps: TestApp[];
  let producers: QueueConnection[];

  beforeAll(async () => {
    bench = await openAuditBench();
    queue = await createTestQueue();
  });
  afterAll(async () => {
    await bench.close();
    await queue.drop();
  });
  beforeEach(() => {
    apps = [];
    producers = [];
  });
  afterEach(async () => {
    await Promise.all(producers.map((connection) => connection.close()));
    await Promise.all(apps.map((app) => app.stop()));
  });

  async function startWriter(queueUrl = queue.url): Promise<TestApp> {
    const app = await startApp('audit-writer', {
      PERDURE_WRITER_DATABASE_URL: bench.installation.database.writerUrl,
      PERDURE_QUEUE_URL: queueUrl,
      PERDURE_LOG_LEVEL: 'debug',
    });
    apps.push(app);
    return app;
  }

  async function wakerOf(queueUrl: string): Promise<(workspaceId: string) => void> {
    const connection = await connectQueues({ url: queueUrl, onError: () => undefined });
    producers.push(connection);
    const producer = connection.producer(auditLink);
    return (workspaceId) => producer.wake(workspaceId);
  }

  const workspaces = (count: number): Promise<TestWorkspace[]> =>
    Promise.all(Array.from({ length: count }, () => bench.installation.workspace()));

  const drained = () => eventually('every event is linked', async () => (await bench.pendingCount()) === 0);

  /** `writers` writers of 50 events each, spread over the workspaces; the ids of each writer in its order. */
  function write(writers: number, into: readonly TestWorkspace[], wake: (workspaceId: string) => void) {
    return Promise.all(
      Array.from({ length: writers }, async (_, index) => {
        const workspaceId = into[index % into.length]?.id ?? '';
        const eventIds: string[] = [];
        for (let round = 0; round < 50; round += 1) {
          eventIds.push(...(await bench.record(workspaceId, 1)));
          wake(workspaceId);
        }
        return { workspaceId, eventIds };
      }),
    );
  }

  async function expectChainsOf(written: Awaited<ReturnType<typeof write>>, into: readonly TestWorkspace[]) {
    for (const workspace of into) {
      const chain = await bench.chainOf(workspace.id);
      const mine = written.filter(({ workspaceId }) => workspaceId === workspace.id);
      const expected = mine.flatMap(({ eventIds }) => eventIds);
      expect(chain.filter((eventId) => expected.includes(eventId)).toSorted()).toEqual(expected.toSorted());
      for (const { eventIds } of mine) {
        expect(chain.filter((eventId) => eventIds.includes(eventId))).toEqual(eventIds);
      }
      expect(await bench.findings(workspace)).toEqual([]);
    }
  }

  it('A2, Q18, Q24: 16 writers, two linking processes, one killed, the queue away for a while: once each, in order, no gap', async () => {
    const redis = testQueueKind() === 'redis' ? await createTestRedis() : null;
    const url = redis?.url ?? queue.url;
    const into = await workspaces(4);
    const [victim] = await Promise.all([startWriter(url), startWriter(url)]);
    const wake = await wakerOf(url);
    const writing = write(16, into, wake);
    await eventually('linking is under way', async () => (await linkedCount()) > 100);
    await Promise.all([victim.kill(), outage(redis)]);
    await startWriter(url);
    const written = await writing;
    await drained();
    await expectChainsOf(written, into);
    await Promise.all(apps.map((app) => app.stop()));
    await redis?.drop();
  });

  it('A2, Q4: a process killed in the middle of a backlog leaves the rest to the next', async () => {
    const [workspace] = await workspaces(1);
    if (!workspace) throw new Error('no workspace');
    const victim = await startWriter();
    await bench.record(workspace.id, 1);
    await drained();
    const holder = await bench.admin.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT FROM audit_head WHERE workspace_id = $1 FOR UPDATE', [workspace.id]);
    const eventIds = await bench.record(workspace.id, 6000, 1000);
    const before = await linkedCount();
    await holder.query('COMMIT');
    holder.release();
    await eventually('the first batch is linked', async () => (await linkedCount()) > before);
    await victim.kill();
    await startWriter();
    await drained();
    expect((await bench.chainOf(workspace.id)).slice(-6000)).toEqual(eventIds);
    expect(await bench.findings(workspace)).toEqual([]);
  });

  it('O4: SIGTERM ends it with what it had begun, and /healthz, /readyz and /metrics answer before', async () => {
    const app = await startWriter();
    expect(await (await fetch(`${app.url}/healthz`)).json()).toEqual({ status: 'ok' });
    expect(await (await fetch(`${app.url}/metrics`)).text()).toContain('perdure_audit_chain_lag_seconds');
    await app.stop();
    expect(app.log()).toContain('"msg":"stopping"');
    expect(app.log()).not.toContain('a step of stopping failed');
    expect(app.log()).not.toContain('"level":"error"');
  });

  it('refuses a role that row-level security does not bind', async () => {
    const starting = startApp('audit-writer', {
      PERDURE_WRITER_DATABASE_URL: bench.installation.database.superuserUrl,
      PERDURE_QUEUE_URL: queue.url,
    });
    await expect(starting).rejects.toThrow('is a superuser');
  });

  async function linkedCount(): Promise<number> {
    const { rows } = await bench.admin.query<{ count: number }>('SELECT count(*)::int AS count FROM audit_entry');
    return rows[0]?.count ?? 0;
  }

  /** Kills Redis, waits until events were linked without it, and brings it back with what its append-only file kept. */
  async function outage(redis: TestRedis | null): Promise<void> {
    if (!redis) return;
    await redis.kill();
    const before = await linkedCount();
    await eventually('linking goes on without the queue', async () => (await linkedCount()) > before);
    await redis.start();
  }
});
