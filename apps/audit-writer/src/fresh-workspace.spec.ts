import { catalogue } from '@perdure/contracts';
import { linkPending } from './link-pending.js';
import { openAuditBench, type AuditBench } from './testing/audit-bench.js';
import { LINK_OPTIONS } from './testing/link-options.js';

/** Compared pair by pair these take a verification past the 15 s that Postgres gives a statement. */
const EVENTS = 6_400;

let bench: AuditBench;

beforeAll(async () => {
  bench = await openAuditBench();
});
afterAll(() => bench.close());

async function linkAll(): Promise<void> {
  for (;;) if ((await linkPending(bench.writer, LINK_OPTIONS)).linked === 0) return;
}

it('A4: a workspace that began after the last statistics were taken is verified like any other', async () => {
  for (let others = 0; others < 30; others += 1) {
    const { id } = await bench.installation.workspace();
    await bench.record(id, 100, 100);
  }
  await linkAll();
  await bench.admin.query('ANALYZE');
  const workspace = await bench.installation.workspace();
  await bench.record(workspace.id, EVENTS, 400);
  await linkAll();
  const verified = await bench.installation.call(catalogue.audit.verifyAuditChain, workspace.owner, {});
  expect(verified).toMatchObject({ ok: true, findings: [], pending: 0 });
  expect(verified.size).toBeGreaterThanOrEqual(EVENTS);
});
