import { createLogger, type DrainLoop, Metrics } from '@perdure/service';
import type { TestWorkspace } from '@perdure/testkit';
import { createDrain } from './drain.js';
import { oldestPending } from './oldest-pending.js';
import { openAuditBench, type AuditBench } from './testing/audit-bench.js';
import { eventually } from './testing/eventually.js';
import { writerMetrics } from './writer-metrics.js';

describe('the drain', () => {
  let bench: AuditBench;
  let workspace: TestWorkspace;
  let lines: string[];
  let metrics: Metrics;
  let drain: DrainLoop;

  beforeAll(async () => {
    bench = await openAuditBench();
  });
  afterAll(() => bench.close());
  beforeEach(async () => {
    workspace = await bench.installation.workspace();
    lines = [];
    metrics = new Metrics('audit-writer');
  });
  afterEach(() => drain.stop());

  const startDrain = (sweepMs: number) => {
    const logger = createLogger({ app: 'audit-writer', level: 'info' }, { write: (line) => void lines.push(line) });
    drain = createDrain({ pool: bench.newWriterPool(), logger, metrics: writerMetrics(metrics), sweepMs });
    drain.start();
  };
  const drained = () => eventually('drained', async () => (await bench.pendingCount()) === 0);

  it('A2, Q16, Q17: links without any queue, by its sweep alone', async () => {
    startDrain(20);
    await drained();
    const eventIds = await bench.record(workspace.id, 5);
    await drained();
    expect((await bench.chainOf(workspace.id)).slice(-5)).toEqual(eventIds);
    expect(await metrics.render()).toMatch(/perdure_audit_chain_linked_total\{app="audit-writer"\} \d+/);
  });

  it('A2: a wake-up links at once, long before the sweep', async () => {
    startDrain(600_000);
    await drained();
    await bench.record(workspace.id, 5);
    drain.wake();
    await drained();
  });

  it('A2: goes on after the server ended all its connections, with one line for the outage', async () => {
    startDrain(20);
    await drained();
    for (const round of [1, 2, 3]) {
      await bench.admin.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'perdure_writer'`,
      );
      const eventIds = await bench.record(workspace.id, round);
      await drained();
      expect((await bench.chainOf(workspace.id)).slice(-round)).toEqual(eventIds);
    }
    expect(drain.live()).toEqual({ ok: true });
    expect(await bench.findings(workspace)).toEqual([]);
  });

  it('A2: alerts once about a chain that cannot be continued, and once it can goes on with it', async () => {
    startDrain(20);
    await bench.record(workspace.id, 2);
    await drained();
    await bench.admin.query('UPDATE audit_head SET size = size - 1 WHERE workspace_id = $1', [workspace.id]);
    const eventIds = await bench.record(workspace.id, 1);
    const alerts = () => lines.filter((line) => line.includes('"alert":"audit_chain_blocked"'));
    await eventually('it counts as blocked', async () =>
      (await metrics.render()).includes('blocked_workspaces{app="audit-writer"} 1'),
    );
    const sweeps = (await metrics.render()).match(/batch_seconds_count\S* (\d+)/)?.[1];
    await eventually(
      'swept again',
      async () => !(await metrics.render()).includes(`batch_seconds_count{app="audit-writer"} ${sweeps}\n`),
    );
    expect(alerts()).toHaveLength(1);
    expect((await oldestPending(bench.writer, new Set()))?.key).toContain(workspace.id);
    expect(await oldestPending(bench.writer, new Set([workspace.id]))).toBeNull();
    await bench.admin.query('UPDATE audit_head SET size = size + 1 WHERE workspace_id = $1', [workspace.id]);
    await drained();
    expect((await bench.chainOf(workspace.id)).slice(-1)).toEqual(eventIds);
    expect(await metrics.render()).toContain('blocked_workspaces{app="audit-writer"} 0');
  });

  it('A2: alerts about an event that was changed before it was linked', async () => {
    const [eventId] = await bench.record(workspace.id, 1);
    await bench.tamper(`UPDATE audit_event SET type = 'project.archived' WHERE event_id = $1`, [eventId]);
    startDrain(20);
    await drained();
    const alert = lines.find((line) => line.includes('"alert":"audit_event_quarantined"'));
    expect(JSON.parse(alert ?? '{}')).toMatchObject({
      level: 'error',
      workspace_id: workspace.id,
      event_id: eventId,
      reason: 'event_digest_mismatch',
    });
    expect(await metrics.render()).toContain('perdure_audit_chain_quarantined_total{app="audit-writer"} 1');
  });
});
