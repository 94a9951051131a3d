import type { TestWorkspace } from '@perdure/testkit';
import { applyOldestBatch } from './apply-batch.js';
import { openUsageBench, report, type ReportOptions, type UsageBench } from './testing/usage-bench.js';

const NONE: ReadonlySet<string> = new Set();
const MISSING_SESSION = '01K00000000000000000000000';

describe('applyOldestBatch', () => {
  let bench: UsageBench;
  let workspace: TestWorkspace;

  beforeAll(async () => {
    bench = await openUsageBench();
  });
  afterAll(() => bench.close());
  beforeEach(async () => {
    workspace = await bench.installation.workspace();
  });

  const apply = () => applyOldestBatch(bench.ingest, NONE);
  /** The statuses of a batch's lines after it was applied. */
  async function statuses(reports: readonly unknown[]): Promise<string[]> {
    const batchId = await bench.submit(workspace.id, reports);
    await apply();
    return (await bench.resultsOf(batchId)).map(({ status }) => status);
  }

  it('U3: applies a batch once, each line with its result, and says so', async () => {
    const batchId = await bench.submit(workspace.id, [
      report('t2'),
      report('t1', { version: [1, 10, 1] }),
      report('t2'),
    ]);
    expect(await apply()).toMatchObject({ workspaceId: workspace.id, batchId });
    expect((await bench.resultsOf(batchId)).map(({ status }) => status)).toEqual([
      'accepted',
      'accepted',
      'overwritten',
    ]);
    expect(await bench.statusOf(batchId)).toEqual({
      status: 'applied',
      counts: { accepted: 2, overwritten: 1, unchanged: 0, stale_ignored: 0, rejected: 0 },
    });
    expect(await bench.stored(workspace.id, 't1')).toEqual({
      report: report('t1', { version: [1, 10, 1] }),
      build_session_id: null,
    });
    expect(await apply()).toBeNull();
  });

  const versions: [string, ReportOptions['version'], ReportOptions['version'], string][] = [
    ['a greater generation, whatever else', [1, 900, 90], [2, 1, 1], 'overwritten'],
    ['more bytes of the same generation', [1, 100, 90], [1, 101, 1], 'overwritten'],
    ['more records of the same bytes', [1, 100, 9], [1, 100, 10], 'overwritten'],
    ['the same version', [1, 100, 9], [1, 100, 9], 'unchanged'],
    ['a smaller generation, whatever else', [2, 1, 1], [1, 900, 90], 'stale_ignored'],
    ['fewer bytes', [1, 101, 1], [1, 100, 90], 'stale_ignored'],
    ['fewer records', [1, 100, 10], [1, 100, 9], 'stale_ignored'],
    ['a version over none', undefined, [0, 0, 0], 'overwritten'],
    ['none over a version', [0, 0, 0], undefined, 'stale_ignored'],
    ['none over none', undefined, undefined, 'overwritten'],
    ['counts beyond 32 bits', [1, 5_000_000_000, 1], [1, 5_000_000_001, 1], 'overwritten'],
  ];
  it.each(versions)('U2: %s', async (_what, first, second, expected) => {
    const [earlier, later] = [
      report('t', { ...(first && { version: first }), output: 7 }),
      report('t', { ...(second && { version: second }), output: 8 }),
    ];
    expect(await statuses([earlier])).toEqual(['accepted']);
    expect(await statuses([later])).toEqual([expected]);
    expect((await bench.stored(workspace.id, 't'))?.report).toEqual(expected === 'overwritten' ? later : earlier);
  });

  it('U2: the newest version stands in the end, in whatever order the reports come', async () => {
    const all: ReportOptions['version'][] = [
      [1, 1, 1],
      [1, 2, 1],
      [1, 2, 2],
      [2, 1, 1],
    ];
    for (const [index, order] of permutations(all).entries()) {
      const reports = order.map((version) => report(`p${index}`, { ...(version && { version }) }));
      for (const one of reports) await bench.submit(workspace.id, [one]);
      while (await apply());
      expect((await bench.stored(workspace.id, `p${index}`))?.report).toMatchObject({ version: { generation: 2 } });
    }
  });

  it('U2: an overwriting report replaces all of it, its models and its build session too', async () => {
    const sessionId = await bench.buildSession(workspace);
    await statuses([report('t', { version: [1, 1, 1] })]);
    const next = { ...report('t', { version: [1, 2, 1], buildSessionId: sessionId }), models: [] };
    expect(await statuses([next])).toEqual(['overwritten']);
    expect(await bench.stored(workspace.id, 't')).toEqual({ report: next, build_session_id: sessionId });
  });

  it('U3: a bad line is rejected by its number, and the others are applied', async () => {
    const sound = report('good');
    const batchId = await bench.submit(workspace.id, [
      'no object',
      { ...sound, transcript_id: '' },
      report('no-session', { buildSessionId: MISSING_SESSION }),
      { ...sound, models: [{ ...sound.models[0], output_tokens: -1 }] },
      { ...sound, version: { generation: 1.5, complete_bytes: 1, records: 1 } },
      { ...sound, transcript_id: 'canary'.repeat(200) },
      sound,
    ]);
    await apply();
    const results = await bench.resultsOf(batchId);
    expect(results.map(({ line, status, code }) => [line, status, code])).toEqual([
      [1, 'rejected', 'invalid_input'],
      [2, 'rejected', 'invalid_input'],
      [3, 'rejected', 'not_found'],
      [4, 'rejected', 'invalid_input'],
      [5, 'rejected', 'invalid_input'],
      [6, 'rejected', 'invalid_input'],
      [7, 'accepted', null],
    ]);
    expect(results[3]?.message).toContain('models.0.output_tokens');
    expect(JSON.stringify(results)).not.toContain('canary');
    expect(await bench.statusOf(batchId)).toMatchObject({ status: 'applied', counts: { accepted: 1, rejected: 6 } });
  });

  it('I1: a session of another workspace is as unknown as one that does not exist', async () => {
    const other = await bench.installation.workspace();
    const foreign = await bench.buildSession(other);
    const batchId = await bench.submit(workspace.id, [
      report('a', { buildSessionId: foreign }),
      report('b', { buildSessionId: MISSING_SESSION }),
    ]);
    await apply();
    const [theirs, missing] = await bench.resultsOf(batchId);
    expect({ ...theirs, line: 0 }).toEqual({ ...missing, line: 0 });
  });

  it('I1: the role sees no reports without a tenant, and the same transcript of two workspaces stays two', async () => {
    const other = await bench.installation.workspace();
    for (const { id } of [workspace, other])
      await bench.submit(id, [report('same', { output: id === other.id ? 2 : 1 })]);
    while (await apply());
    expect((await bench.ingest.query('SELECT 1 FROM usage_report')).rows).toEqual([]);
    const outputs = [await bench.stored(workspace.id, 'same'), await bench.stored(other.id, 'same')];
    expect(outputs.map((row) => JSON.stringify(row).match(/"output_tokens":(\d)/)?.[1])).toEqual(['1', '2']);
  });

  it('U3: several workers apply each batch once, also with the same transcripts in opposite order', async () => {
    const names = Array.from({ length: 40 }, (_, index) => `t${index}`);
    const batchIds: string[] = [];
    for (let round = 1; round <= 6; round += 1) {
      const order = round % 2 === 0 ? names : names.toReversed();
      batchIds.push(
        await bench.submit(
          workspace.id,
          order.map((name) => report(name, { version: [1, round, 1] })),
        ),
      );
    }
    await Promise.all(
      [1, 2, 3].map(async () => {
        const pool = bench.newIngestPool();
        while (await applyOldestBatch(pool, NONE));
      }),
    );
    for (const batchId of batchIds) expect((await bench.statusOf(batchId)).status).toBe('applied');
    const results = (await Promise.all(batchIds.map((batchId) => bench.resultsOf(batchId)))).flat();
    expect(results.filter(({ status }) => status === 'accepted')).toHaveLength(40);
    for (const name of names) {
      expect((await bench.stored(workspace.id, name))?.report).toMatchObject({ version: { complete_bytes: 6 } });
    }
  });

  it('an empty batch is applied too', async () => {
    const batchId = await bench.submit(workspace.id, []);
    await apply();
    expect((await bench.statusOf(batchId)).status).toBe('applied');
  });
});

function permutations<Item>(items: readonly Item[]): Item[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((item, index) =>
    permutations([...items.slice(0, index), ...items.slice(index + 1)]).map((rest) => [item, ...rest]),
  );
}
