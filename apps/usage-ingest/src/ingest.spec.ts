import { createLogger, type DrainLoop, Metrics } from '@perdure/service';
import type { TestWorkspace } from '@perdure/testkit';
import { ingestMetrics } from './ingest-metrics.js';
import { createIngest } from './ingest.js';
import { eventually } from './testing/eventually.js';
import { openUsageBench, report, type UsageBench } from './testing/usage-bench.js';

describe('the ingest loop', () => {
  let bench: UsageBench;
  let workspace: TestWorkspace;
  let lines: string[];
  let metrics: Metrics;
  let ingest: DrainLoop;

  beforeAll(async () => {
    bench = await openUsageBench();
  });
  afterAll(() => bench.close());
  beforeEach(async () => {
    workspace = await bench.installation.workspace();
    lines = [];
    metrics = new Metrics('usage-ingest');
    const logger = createLogger({ app: 'usage-ingest', level: 'info' }, { write: (line) => void lines.push(line) });
    ingest = createIngest({ pool: bench.newIngestPool(), logger, metrics: ingestMetrics(metrics), sweepMs: 20 });
    ingest.start();
  });
  afterEach(() => ingest.stop());

  const applied = (batchId: string) =>
    eventually(`${batchId} is applied`, async () => (await bench.statusOf(batchId)).status === 'applied');

  it('U3: applies batches by its sweep alone, counts them and logs no content', async () => {
    const batchIds = [
      await bench.submit(workspace.id, [report('canary')]),
      await bench.submit(workspace.id, ['canary']),
    ];
    for (const batchId of batchIds) await applied(batchId);
    await eventually('counted', async () =>
      (await metrics.render()).includes('result="rejected",app="usage-ingest"} 1'),
    );
    expect(await metrics.render()).toContain('perdure_usage_reports_total{result="accepted",app="usage-ingest"} 1');
    expect(lines.join('')).not.toContain('canary');
  });

  it('U3: goes on after the server ended all its connections', async () => {
    await bench.admin.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'perdure_ingest'`);
    await applied(await bench.submit(workspace.id, [report('t')]));
    expect(ingest.live()).toEqual({ ok: true });
  });

  it('U3: a batch that cannot be applied alerts once, holds up no other, and is applied once it can be', async () => {
    await bench.admin.query(
      `ALTER TABLE usage_batch ADD CONSTRAINT poison CHECK (received_count <> 3 OR status = 'received')`,
    );
    const poison = await bench.submit(workspace.id, [report('a'), report('b'), report('c')]);
    for (let round = 0; round < 3; round += 1)
      await applied(await bench.submit(workspace.id, [report(`other-${round}`)]));
    const alerts = () => lines.filter((line) => line.includes('"alert":"usage_batch_failed"'));
    await eventually('alerted', () => alerts().length > 0);
    expect((await bench.statusOf(poison)).status).toBe('received');
    expect(await bench.stored(workspace.id, 'a')).toBeNull();
    expect(await metrics.render()).toContain('perdure_usage_failed_batches{app="usage-ingest"} 1');

    await bench.admin.query('ALTER TABLE usage_batch DROP CONSTRAINT poison');
    await applied(poison);
    expect(alerts()).toHaveLength(1);
    await eventually('mended', async () => (await metrics.render()).includes('failed_batches{app="usage-ingest"} 0'));
  });
});
