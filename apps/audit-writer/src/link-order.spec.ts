import { auditLink, connectQueues, type QueueConnection, type WakeHandler } from '@perdure/queues';
import { createTestQueue, type TestQueue, type TestWorkspace } from '@perdure/testkit';
import type { Pool } from 'pg';
import { linkPending } from './link-pending.js';
import { openAuditBench, type AuditBench } from './testing/audit-bench.js';
import { eventually } from './testing/eventually.js';
import { LINK_OPTIONS } from './testing/link-options.js';

describe('the order of links', () => {
  let bench: AuditBench;
  let into: TestWorkspace[];
  let queue: TestQueue;
  let connection: QueueConnection;

  beforeAll(async () => {
    bench = await openAuditBench();
  });
  afterAll(() => bench.close());
  beforeEach(async () => {
    into = [await bench.installation.workspace(), await bench.installation.workspace()];
    queue = await createTestQueue();
    connection = await connectQueues({ url: queue.url, onError: () => undefined });
  });
  afterEach(async () => {
    await connection.close();
    await queue.drop();
  });

  /** Small batches, so that jobs take turns in one workspace. Unlike the writer's drain nothing keeps them apart. */
  async function linkAll(pool: Pool): Promise<void> {
    while ((await linkPending(pool, { ...LINK_OPTIONS, maxEvents: 5 })).linked > 0);
  }

  /** Six writers of 20 commits each, a wake-up after each; the ids of each writer in its order. */
  function write(wake: (workspaceId: string) => void) {
    return Promise.all(
      [0, 1, 2, 3, 4, 5].map(async (index) => {
        const workspaceId = into[index % into.length]?.id ?? '';
        const eventIds: string[] = [];
        for (let round = 0; round < 20; round += 1) {
          eventIds.push(...(await bench.record(workspaceId, 1)));
          wake(workspaceId);
        }
        return { workspaceId, eventIds };
      }),
    );
  }

  function consume(handler: WakeHandler, concurrency: number): (workspaceId: string) => void {
    connection.consumer(auditLink, handler, { concurrency });
    const producer = connection.producer(auditLink);
    return (workspaceId) => producer.wake(workspaceId);
  }

  it.each([1, 4, 16])('Q1: is that of the commits, with %d jobs at once', async (concurrency) => {
    const pools = Array.from({ length: Math.ceil(concurrency / 4) }, () => bench.newWriterPool());
    let turn = 0;
    const wake = consume(() => linkAll(pools[(turn += 1) % pools.length] ?? bench.writer), concurrency);
    const written = await write(wake);
    // A job that found a head held went home; the sweep takes what its holder did not see.
    await eventually('every event is linked', async () => {
      await linkAll(bench.writer);
      return (await bench.pendingCount()) === 0;
    });
    for (const workspace of into) {
      const mine = written.filter(({ workspaceId }) => workspaceId === workspace.id);
      const chain = (await bench.chainOf(workspace.id)).slice(-60);
      expect(chain.toSorted()).toEqual(mine.flatMap(({ eventIds }) => eventIds).toSorted());
      for (const { eventIds } of mine) {
        expect(chain.filter((eventId) => eventIds.includes(eventId))).toEqual(eventIds);
      }
      expect(await bench.findings(workspace)).toEqual([]);
    }
  });

  it('Q2: is that of the commits, though the first job failed', async () => {
    const [workspace] = into;
    if (!workspace) throw new Error('no workspace');
    let jobs = 0;
    const wake = consume(async () => {
      jobs += 1;
      if (jobs === 1) throw new Error('the first job fails');
      await linkAll(bench.writer);
    }, 1);
    const first = await bench.record(workspace.id, 1);
    wake(workspace.id);
    await eventually('the first job has failed', () => jobs === 1);
    const eventIds = [...first];
    for (let round = 0; round < 10; round += 1) {
      eventIds.push(...(await bench.record(workspace.id, 1)));
      wake(workspace.id);
    }
    await eventually('every event is linked', async () => (await bench.pendingCount()) === 0);
    expect((await bench.chainOf(workspace.id)).slice(-11)).toEqual(eventIds);
    expect(await bench.findings(workspace)).toEqual([]);
  });
});
