import type { TestWorkspace } from '@perdure/testkit';
import type { Pool } from 'pg';
import { linkPending, type LinkOptions, type LinkResult } from './link-pending.js';
import { newUlid, openAuditBench, type AuditBench } from './testing/audit-bench.js';
import { LINK_OPTIONS } from './testing/link-options.js';

const options = (changed: Partial<LinkOptions> = {}): LinkOptions => ({ ...LINK_OPTIONS, ...changed });

describe('linkPending', () => {
  let bench: AuditBench;
  let workspace: TestWorkspace;
  let other: TestWorkspace;

  beforeAll(async () => {
    bench = await openAuditBench();
  });
  afterAll(() => bench.close());
  beforeEach(async () => {
    workspace = await bench.installation.workspace();
    other = await bench.installation.workspace();
    // Each has a chain with a head before the test begins.
    for (const { id } of [workspace, other]) await bench.record(id, 1);
    await linkAll(bench.writer);
  });

  async function linkAll(pool: Pool, changed: Partial<LinkOptions> = {}): Promise<LinkResult> {
    const total: LinkResult = { linked: 0, quarantined: [], failed: [], looked: [] };
    for (;;) {
      const result = await linkPending(pool, options(changed));
      total.linked += result.linked;
      total.quarantined.push(...result.quarantined);
      total.failed = result.failed;
      if (result.linked + result.quarantined.length === 0) return total;
    }
  }

  it('A2: links what waits, in the order in which it was committed, and the chain verifies', async () => {
    const before = await bench.chainOf(workspace.id);
    const eventIds = await bench.record(workspace.id, 30);
    expect((await linkAll(bench.writer)).linked).toBe(30);
    expect(await bench.chainOf(workspace.id)).toEqual([...before, ...eventIds]);
    expect(await bench.pendingCount()).toBe(0);
    expect(await bench.findings(workspace)).toEqual([]);
    expect(await linkAll(bench.writer)).toMatchObject({ linked: 0, quarantined: [], failed: [] });
  });

  it('A2: several workspaces go into one batch, each into its own chain', async () => {
    const [mine, theirs] = [await bench.record(workspace.id, 5), await bench.record(other.id, 7)];
    expect((await linkPending(bench.writer, options())).linked).toBe(12);
    expect((await bench.chainOf(workspace.id)).slice(-5)).toEqual(mine);
    expect((await bench.chainOf(other.id)).slice(-7)).toEqual(theirs);
    expect([...(await bench.findings(workspace)), ...(await bench.findings(other))]).toEqual([]);
  });

  it('A2: an event that commits late is linked late, not lost', async () => {
    const [late, early] = await bench.whileUncommitted(workspace.id, async (eventId) => {
      const eventIds = await bench.record(workspace.id, 1);
      await linkAll(bench.writer);
      return [eventId, eventIds[0]];
    });
    await linkAll(bench.writer);
    expect((await bench.chainOf(workspace.id)).slice(-2)).toEqual([early, late]);
  });

  it('A2: many writers at once link every event once', async () => {
    const eventIds = [await bench.record(workspace.id, 400, 100), await bench.record(other.id, 400, 100)].flat();
    const results = await Promise.all([1, 2, 3, 4].map(() => linkAll(bench.newWriterPool(), { maxEvents: 20 })));
    // A writer that found the heads held goes home; what it left is linked by the one that held them.
    const rest = await linkAll(bench.writer);
    expect(results.reduce((sum, { linked }) => sum + linked, rest.linked)).toBe(800);
    const chained = [...(await bench.chainOf(workspace.id)), ...(await bench.chainOf(other.id))];
    expect(chained.filter((eventId) => eventIds.includes(eventId)).toSorted()).toEqual(eventIds.toSorted());
    expect(await bench.findings(workspace)).toEqual([]);
  });

  it('leaves a workspace whose head is held to its holder, and goes on with the others', async () => {
    await bench.record(workspace.id, 1);
    await bench.record(other.id, 1);
    const holder = await bench.writer.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT 1 FROM audit_head WHERE workspace_id = $1 FOR UPDATE', [workspace.id]);
    expect((await linkPending(bench.writer, options())).linked).toBe(1);
    await holder.query('ROLLBACK');
    holder.release();
    expect((await linkPending(bench.writer, options())).linked).toBe(1);
  });

  it('A2: one commit serves many entries', async () => {
    await bench.record(workspace.id, 1200, 300);
    await bench.record(other.id, 1200, 300);
    const pool = bench.newWriterPool();
    const commits = () => commitCount(bench.admin);
    const before = await commits();
    expect((await linkAll(pool)).linked).toBe(2400);
    // A backend hands in its counts when it ends. The database's own chores (autovacuum) are counted with it.
    await pool.end();
    expect(((await commits()) - before) / 2400).toBeLessThan(0.25);
  });

  it('serves workspaces in turn when there are more than fit into a batch', async () => {
    await bench.record(workspace.id, 3);
    await bench.record(other.id, 3);
    const [first = '', second = ''] = [workspace.id, other.id].toSorted();
    const one = await linkPending(bench.writer, options({ maxWorkspaces: 1, maxEvents: 2 }));
    const two = await linkPending(
      bench.writer,
      options({ maxWorkspaces: 1, maxEvents: 2, after: one.looked[0] ?? '' }),
    );
    const three = await linkPending(
      bench.writer,
      options({ maxWorkspaces: 1, maxEvents: 2, after: two.looked[0] ?? '' }),
    );
    expect([one, two, three].map(({ looked }) => looked)).toEqual([[first], [second], [first]]);
    await linkAll(bench.writer);
  });

  describe('A2: an event that is not as it was committed', () => {
    const tamperings: [string, string, string][] = [
      [
        'payload_digest_mismatch',
        'an edited payload',
        `UPDATE audit_payload SET payload = '{"name":"other"}' WHERE event_id = $1`,
      ],
      [
        'payload_digest_mismatch',
        'another salt',
        `UPDATE audit_payload SET salt = sha256('x')::bytea WHERE event_id = $1`,
      ],
      [
        'payload_missing',
        'an erased payload',
        'UPDATE audit_payload SET payload = NULL, salt = NULL WHERE event_id = $1',
      ],
      [
        'event_digest_mismatch',
        'an edited type',
        `UPDATE audit_event SET type = 'project.archived' WHERE event_id = $1`,
      ],
      [
        'event_digest_mismatch',
        'an edited time',
        `UPDATE audit_event SET at = '2020-01-01T00:00:00.000Z' WHERE event_id = $1`,
      ],
      [
        'event_digest_mismatch',
        'an exchanged digest',
        `UPDATE audit_event SET event_digest = sha256('x') WHERE event_id = $1`,
      ],
      ['unknown_version', 'another version', 'UPDATE audit_event SET v = 2 WHERE event_id = $1'],
    ];
    it.each(tamperings)('goes to quarantine as %s (%s), and the others are linked', async (reason, _what, sql) => {
      const [first, bad, last] = await bench.record(workspace.id, 3);
      const size =
        reason === 'payload_digest_mismatch' ? sql.replace("sha256('x')::bytea", "substr(sha256('x'), 1, 16)") : sql;
      await bench.tamper(size, [bad]);
      const result = await linkAll(bench.writer);
      expect(result.quarantined).toEqual([{ workspace_id: workspace.id, event_id: bad, reason }]);
      expect((await bench.chainOf(workspace.id)).slice(-2)).toEqual([first, last]);
      const { rows } = await bench.admin.query('SELECT reason FROM audit_quarantine WHERE event_id = $1', [bad]);
      expect(rows).toEqual([{ reason }]);
      expect(await bench.pendingCount()).toBe(0);
    });

    it('goes to quarantine as event_missing when its row is gone', async () => {
      const eventId = newUlid();
      await bench.admin.query('INSERT INTO audit_pending (workspace_id, event_id) VALUES ($1, $2)', [
        workspace.id,
        eventId,
      ]);
      expect((await linkAll(bench.writer)).quarantined).toMatchObject([{ event_id: eventId, reason: 'event_missing' }]);
    });
  });

  it('A2, Q12: an event that is put back into the pending set is not linked again', async () => {
    const [eventId] = await bench.record(workspace.id, 1);
    await linkAll(bench.writer);
    const before = await bench.chainOf(workspace.id);
    await bench.admin.query('INSERT INTO audit_pending (workspace_id, event_id) VALUES ($1, $2)', [
      workspace.id,
      eventId,
    ]);
    expect(await linkAll(bench.writer)).toMatchObject({ linked: 0, failed: [] });
    expect([await bench.chainOf(workspace.id), await bench.pendingCount()]).toEqual([before, 0]);
  });

  it('A2: a chain that cannot be continued stops itself alone', async () => {
    await bench.record(workspace.id, 2);
    const theirs = await bench.record(other.id, 2);
    await bench.admin.query('UPDATE audit_head SET size = size - 1 WHERE workspace_id = $1', [workspace.id]);
    const result = await linkAll(bench.writer);
    expect(result.linked).toBe(2);
    expect(result.failed.map(({ workspaceId }) => workspaceId)).toEqual([workspace.id]);
    expect((await bench.chainOf(other.id)).slice(-2)).toEqual(theirs);

    await bench.admin.query('UPDATE audit_head SET size = size + 1 WHERE workspace_id = $1', [workspace.id]);
    const after = await linkAll(bench.writer, { alone: new Set([workspace.id]) });
    expect(after).toMatchObject({ linked: 2, failed: [] });
    expect(await bench.findings(workspace)).toEqual([]);
  });

  it('a clock set back does not take the chain back', async () => {
    await bench.record(workspace.id, 1);
    await linkAll(bench.writer);
    await bench.record(workspace.id, 1);
    await linkAll(bench.writer, { clock: () => '2020-01-01T00:00:00.000Z' });
    expect(await bench.findings(workspace)).toEqual([]);
  });
});

async function commitCount(admin: Pool): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, 200));
  const { rows } = await admin.query<{ commits: string }>(
    'SELECT xact_commit AS commits FROM pg_stat_database WHERE datname = current_database()',
  );
  return Number(rows[0]?.commits);
}
