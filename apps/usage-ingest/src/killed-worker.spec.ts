import type { Pool, PoolClient } from 'pg';
import { applyOldestBatch } from './apply-batch.js';
import { reconcileWorkspace } from './housekeeping.js';
import { openUsageBench, report, type UsageBench } from './testing/usage-bench.js';

// A connection for each statement of 100 batches.
jest.setTimeout(240_000);

const KILLS = 3;

/** More than the statements of a batch; with KILLS + 1 it has no divisor in common, so that every boundary is met. */
const BOUNDARIES = 29;

class Killed extends Error {}

/**
 * The pool of a worker that is gone before its statement of that number: its connection is cut, as the kernel cuts it for
 * a process that is killed. Counts the statements of a worker that lives.
 */
function dyingPool(pool: Pool, dieBefore: number) {
  let statements = 0;
  let alive = true;
  const connect = async () => {
    const client = await pool.connect();
    const query = client.query.bind(client) as (...values: unknown[]) => Promise<unknown>; // the one form that is used
    const mortal = {
      query: async (...values: unknown[]) => {
        if (!alive) throw new Killed();
        if (statements === dieBefore) {
          alive = false;
          client.release(true);
          throw new Killed();
        }
        statements += 1;
        return query(...values);
      },
      release: () => {
        if (alive) client.release();
      },
      on: client.on.bind(client),
      off: client.off.bind(client),
    };
    return mortal as unknown as PoolClient; // what applying a batch uses of one
  };
  return { pool: { connect } as unknown as Pool, statements: () => statements }; // likewise
}

describe('a worker killed before any of its statements', () => {
  let bench: UsageBench;

  beforeAll(async () => {
    bench = await openUsageBench();
  });
  afterAll(() => bench.close());

  it('U3: during 100 batches leaves every result complete and the totals exact', async () => {
    const workspace = await bench.installation.workspace();
    const response = (hash: string) => ({
      hash: hash.padStart(16, '0'),
      first_at: '2026-05-01T10:00:00Z',
      model: 'model-a',
      input_tokens: 0,
      output_tokens: 1,
      cache_write_5m_tokens: 0,
      cache_write_1h_tokens: 0,
      cache_read_tokens: 0,
    });
    const batchIds: string[] = [];
    for (let batch = 1; batch <= 100; batch += 1) {
      batchIds.push(
        await bench.submit(workspace.id, [
          report(`own-${batch}`),
          report('again', { version: [1, batch, 1], output: batch }),
          { ...report(`fork-${batch}`), responses: [response('1')] },
          { ...report('bad'), models: 'none' },
        ]),
      );
    }
    // Each batch is begun KILLS times in vain, at one statement after the other; together they are at all of them.
    let [begun, longest] = [0, 0];
    for (;;) {
      const lives = begun % (KILLS + 1) === KILLS;
      const worker = dyingPool(bench.ingest, lives ? Infinity : begun % BOUNDARIES);
      begun += 1;
      const applied = await applyOldestBatch(worker.pool, new Set()).catch((error: unknown) => {
        if (!(error instanceof Killed)) throw error;
      });
      if (applied === null) break;
      longest = Math.max(longest, worker.statements());
    }
    expect(longest).toBeGreaterThan(10);
    expect(longest).toBeLessThan(BOUNDARIES);
    for (const batchId of batchIds) {
      const statuses = (await bench.resultsOf(batchId)).map(({ status }) => status);
      // Batches of one millisecond come in any order: the transcript that all of them report may be a newer one already.
      expect(statuses).toEqual([
        'accepted',
        expect.stringMatching(/^(accepted|overwritten|stale_ignored)$/),
        'accepted',
        'rejected',
      ]);
      expect(await bench.statusOf(batchId)).toMatchObject({ status: 'applied', counts: { rejected: 1 } });
    }
    const outputs = Object.values(await bench.outputs(workspace.id));
    // 100 of their own, the newest of the one that came again, and of 100 forks the one that owns the response.
    expect(outputs.reduce((sum, output) => sum + output, 0)).toBe(100 + 100 + 1);
    expect(await reconcileWorkspace(bench.ingest, workspace.id)).toEqual([]);
  });
});
