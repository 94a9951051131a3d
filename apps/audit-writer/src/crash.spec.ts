import type { TestWorkspace } from '@perdure/testkit';
import { linkPending, type LinkOptions } from './link-pending.js';
import { openAuditBench, type AuditBench } from './testing/audit-bench.js';
import { poolCutBefore } from './testing/cut-connection.js';
import { LINK_OPTIONS } from './testing/link-options.js';

const OPTIONS: LinkOptions = { ...LINK_OPTIONS, maxWorkspaces: 10, maxEvents: 100 };

describe('a writer that dies inside a batch', () => {
  let bench: AuditBench;
  let workspace: TestWorkspace;

  beforeAll(async () => {
    bench = await openAuditBench();
  });
  afterAll(() => bench.close());

  it('A2, Q4: leaves no gap and no second entry, whichever statement was its last', async () => {
    let nth = 0;
    let reached = true;
    while (reached) {
      nth += 1;
      // A new workspace each time, so that making its head is among the statements.
      workspace = await bench.installation.workspace();
      const eventIds = await bench.record(workspace.id, 3);
      const cutting = poolCutBefore(nth, { pool: bench.writer, admin: bench.admin });
      const outcome = await linkPending(cutting.pool, OPTIONS).catch((error: unknown) => error);
      reached = cutting.cut();
      expect(outcome instanceof Error).toBe(reached);
      if (reached) expect(await bench.chainOf(workspace.id)).toEqual([]);
      await linkPending(bench.writer, OPTIONS);
      expect((await bench.chainOf(workspace.id)).slice(-3)).toEqual(eventIds);
      expect(await bench.findings(workspace)).toEqual([]);
    }
    // Find (twice), heads (twice), BEGIN, lock, read, entries, head, pending, COMMIT: a test that cuts less tests less.
    expect(nth).toBeGreaterThanOrEqual(11);
  });
});
