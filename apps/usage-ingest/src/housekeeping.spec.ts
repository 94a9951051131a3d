import type { TestWorkspace } from '@perdure/testkit';
import { applyOldestBatch } from './apply-batch.js';
import { emptyOldBatches, reconcileWorkspace } from './housekeeping.js';
import { openUsageBench, report, type UsageBench } from './testing/usage-bench.js';

describe('housekeeping', () => {
  let bench: UsageBench;
  let workspace: TestWorkspace;

  beforeAll(async () => {
    bench = await openUsageBench();
  });
  afterAll(() => bench.close());
  beforeEach(async () => {
    workspace = await bench.installation.workspace();
  });

  async function applied(...names: string[]): Promise<string> {
    const batchId = await bench.submit(
      workspace.id,
      names.map((name) => report(name)),
    );
    while (await applyOldestBatch(bench.ingest, new Set()));
    return batchId;
  }

  it('U3: deletes the lines of batches applied long enough ago; the batch and its counts stay', async () => {
    const [old, young] = [await applied('a', 'b'), await applied('c')];
    const waiting = await bench.submit(workspace.id, [report('d')]);
    await bench.admin.query(`UPDATE usage_batch SET applied_at = applied_at - interval '8 days' WHERE id = $1`, [old]);
    await bench.admin.query(`UPDATE usage_batch SET received_at = received_at - interval '8 days' WHERE id = $1`, [
      waiting,
    ]);
    expect(await emptyOldBatches(bench.ingest, 7)).toBe(1);
    expect(await emptyOldBatches(bench.ingest, 7)).toBe(0);
    const lines = await Promise.all([old, young, waiting].map(async (id) => (await bench.resultsOf(id)).length));
    expect(lines).toEqual([0, 1, 1]);
    expect(await bench.statusOf(old)).toMatchObject({ status: 'applied', counts: { accepted: 2 } });
    expect(await bench.stored(workspace.id, 'a')).not.toBeNull();
  });

  const tampering: [string, string][] = [
    ['a sum that differs', `UPDATE usage_slot SET output_tokens = output_tokens + 1 WHERE transcript_id = 'b'`],
    ['a slot that is gone', `DELETE FROM usage_slot WHERE transcript_id = 'b'`],
    ['another place in time', `UPDATE usage_slot SET slot_at = slot_at + interval '1 day' WHERE transcript_id = 'b'`],
    ['another client', `UPDATE usage_slot SET client = 'x' WHERE transcript_id = 'b'`],
    ['a report that is gone', `DELETE FROM usage_report WHERE transcript_id = 'b'`],
    [
      'a report that was changed',
      `UPDATE usage_report SET report = jsonb_set(report, '{models,0,turns}', '7') WHERE transcript_id = 'b'`,
    ],
  ];
  it.each(tampering)('U4: finds %s, and nothing in the books of others', async (_what, sql) => {
    const other = workspace.id;
    await applied('b');
    workspace = await bench.installation.workspace();
    await applied('a', 'b', 'c');
    expect(await reconcileWorkspace(bench.ingest, workspace.id)).toEqual([]);
    await bench.admin.query(`${sql} AND workspace_id = '${workspace.id}'`);
    const found = await reconcileWorkspace(bench.ingest, workspace.id);
    expect(new Set(found.map((mismatch) => mismatch.transcript_id))).toEqual(new Set(['b']));
    expect(await reconcileWorkspace(bench.ingest, other)).toEqual([]);
  });
});
