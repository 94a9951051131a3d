import type { TestWorkspace } from '@perdure/testkit';
import { Pool } from 'pg';
import { Backlog } from './backlog.js';
import { openAuditBench, type AuditBench } from './testing/audit-bench.js';

const NOTHING: ReadonlySet<string> = new Set();

describe('Backlog', () => {
  let bench: AuditBench;
  let workspace: TestWorkspace;
  let now: number;
  let backlog: Backlog;

  beforeAll(async () => {
    bench = await openAuditBench();
  });
  afterAll(() => bench.close());
  beforeEach(async () => {
    await bench.admin.query('DELETE FROM audit_pending');
    workspace = await bench.installation.workspace();
    await bench.admin.query('DELETE FROM audit_pending');
    now = 0;
    backlog = new Backlog(() => now);
  });

  const anHourAgo = (eventId: string | undefined) =>
    bench.admin.query(`UPDATE audit_pending SET enqueued_at = clock_timestamp() - interval '1 hour' WHERE event_id = $1`, [eventId]);

  it('O1: nothing waits: alive, and no age', async () => {
    await backlog.measure(bench.writer, NOTHING);
    expect([backlog.live(), backlog.ageSeconds]).toEqual([{ ok: true }, 0]);
  });

  it('O1: a fresh process with an old backlog is alive, and not for longer than 30 s', async () => {
    const [eventId] = await bench.record(workspace.id, 1);
    await anHourAgo(eventId);
    await backlog.measure(bench.writer, NOTHING);
    expect(Math.round(backlog.ageSeconds / 60)).toBe(60);
    expect(backlog.live()).toEqual({ ok: true });
    now = 30_001;
    await backlog.measure(bench.writer, NOTHING);
    expect(backlog.live()).toMatchObject({ ok: false });
    expect(backlog.live().detail).toMatch(/^an event has waited 36\d\d s to be linked/);
  });

  it('O1: a backlog that moves is alive, however old it is', async () => {
    for (const eventId of await bench.record(workspace.id, 3)) await anHourAgo(eventId);
    for (now = 0; now < 75_000; now += 25_000) {
      await backlog.measure(bench.writer, NOTHING);
      expect(backlog.live()).toEqual({ ok: true });
      await bench.admin.query(
        'DELETE FROM audit_pending WHERE id = (SELECT id FROM audit_pending ORDER BY enqueued_at LIMIT 1)',
      );
    }
  });

  it('O1: an outage of the database is no fault of the writer, nor is what it finds afterwards', async () => {
    await bench.record(workspace.id, 1);
    await backlog.measure(bench.writer, NOTHING);
    now = 60_000;
    const gone = new Pool({ connectionString: 'postgres://perdure_writer@127.0.0.1:1/none' });
    await expect(backlog.measure(gone, NOTHING)).rejects.toThrow();
    expect(backlog.live()).toEqual({ ok: true });
    await gone.end();
    now = 600_000;
    await backlog.measure(bench.writer, NOTHING);
    expect(backlog.live()).toEqual({ ok: true });
  });

  it('O1: a workspace whose chain is blocked does not count: no restart could mend it', async () => {
    await bench.record(workspace.id, 1);
    await backlog.measure(bench.writer, new Set([workspace.id]));
    now = 60_000;
    await backlog.measure(bench.writer, new Set([workspace.id]));
    expect([backlog.live(), backlog.ageSeconds]).toEqual([{ ok: true }, 0]);
  });
});
