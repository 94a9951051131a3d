import { connectQueues, usageIngest } from '@perdure/queues';
import { createTestQueue, startApp, type TestApp, type TestQueue } from '@perdure/testkit';
import { eventually } from './testing/eventually.js';
import { openUsageBench, report, type UsageBench } from './testing/usage-bench.js';

// Several processes and thousands of commits: on a busy machine more than the usual minute.
jest.setTimeout(180_000);

describe('usage-ingest as processes', () => {
  let bench: UsageBench;
  let queue: TestQueue;

  beforeAll(async () => {
    bench = await openUsageBench();
    queue = await createTestQueue();
  });
  afterAll(async () => {
    await bench.close();
    await queue.drop();
  });

  const startIngest = (): Promise<TestApp> =>
    startApp('usage-ingest', {
      PERDURE_INGEST_DATABASE_URL: bench.installation.database.ingestUrl,
      PERDURE_QUEUE_URL: queue.url,
    });

  it('U3: a process killed inside a batch leaves nothing of it; the next applies all of it, once', async () => {
    const workspace = await bench.installation.workspace();
    const reports = Array.from({ length: 2000 }, (_, index) => report(`t${index}`, { version: [1, 1, 1] }));
    const victim = await startIngest();
    // The worker has written the reports and waits to write what they count for.
    const holder = await bench.admin.connect();
    await holder.query('BEGIN; LOCK TABLE usage_slot IN EXCLUSIVE MODE');
    const batchId = await bench.submit(workspace.id, reports);
    await eventually('it is being applied', async () => {
      const { rows } = await bench.admin.query(
        `SELECT 1 FROM pg_stat_activity WHERE usename = 'perdure_ingest' AND wait_event_type = 'Lock'`,
      );
      return rows.length > 0;
    });
    await victim.kill();
    await holder.query('ROLLBACK');
    holder.release();
    const successor = await startIngest();
    await eventually('it is applied', async () => (await bench.statusOf(batchId)).status === 'applied');
    expect((await bench.statusOf(batchId)).counts).toMatchObject({ accepted: 2000, unchanged: 0 });
    await successor.stop();
  });

  it('U3, O4: works on wake-ups, answers health, and stops in order', async () => {
    const workspace = await bench.installation.workspace();
    const app = await startIngest();
    const connection = await connectQueues({ url: queue.url, onError: () => undefined });
    const batchId = await bench.submit(workspace.id, [report('t')]);
    connection.producer(usageIngest).wake(workspace.id);
    await eventually('it is applied', async () => (await bench.statusOf(batchId)).status === 'applied');
    expect((await fetch(`${app.url}/healthz`)).status).toBe(200);
    expect(await (await fetch(`${app.url}/metrics`)).text()).toContain('perdure_usage_batch_lag_seconds');
    await connection.close();
    await app.stop();
    expect(app.log()).toContain('"msg":"stopping"');
    expect(app.log()).not.toMatch(/"level":"(error|fatal)"/);
  });

  it('refuses a role that row-level security does not bind', async () => {
    const starting = startApp('usage-ingest', {
      PERDURE_INGEST_DATABASE_URL: bench.installation.database.ownerUrl,
      PERDURE_QUEUE_URL: queue.url,
    });
    await expect(starting).rejects.toThrow('owns the table');
  });
});
