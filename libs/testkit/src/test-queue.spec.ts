import { auditLink, connectQueues } from '@perdure/queues';
import { createTestQueue, type TestQueueKind } from './test-queue.js';

const KINDS: TestQueueKind[] = ['redis', 'postgres'];

/** Workspaces a consumer on `url` was woken for by the time it saw `last`. */
async function wokenUntil(url: string, last: string): Promise<(string | null)[]> {
  const queues = await connectQueues({ url, onError: () => undefined });
  const seen: (string | null)[] = [];
  await new Promise<void>((resolve) => {
    const handler = (workspaceId: string | null) => {
      seen.push(workspaceId);
      if (workspaceId === last) resolve();
    };
    queues.consumer(auditLink, handler, { concurrency: 1 });
  });
  await queues.close();
  return seen;
}

async function wakeOn(url: string, workspaceId: string): Promise<void> {
  const queues = await connectQueues({ url, onError: () => undefined });
  queues.producer(auditLink).wake(workspaceId);
  // Closing sends what waits.
  await queues.close();
}

describe.each(KINDS)('createTestQueue on %s', (kind) => {
  it('gives two test files queues that do not hear each other', async () => {
    const [one, other] = await Promise.all([createTestQueue(kind), createTestQueue(kind)]);
    const mine = '01J0000000000000000000000A';
    const foreign = '01J0000000000000000000000B';
    await wakeOn(other.url, foreign);
    await wakeOn(one.url, mine);
    expect(await wokenUntil(one.url, mine)).toEqual([mine]);
    await Promise.all([one.drop(), other.drop()]);
  });
});
