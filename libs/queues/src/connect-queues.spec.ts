import { createTestQueue, type TestQueue } from '@perdure/testkit';
import { connectQueues, type QueueConnection } from './connect-queues.js';
import type { QueueFault } from './outage.js';
import { auditLink, usageIngest } from './queue-catalogue.js';
import { BACKEND_KINDS } from './testing/backend-kinds.js';
import { eventually } from './testing/eventually.js';
import { rawQueue } from './testing/raw-queue.js';

describe.each(BACKEND_KINDS)('queues on %s', (kind) => {
  let backend: TestQueue;
  let connection: QueueConnection;
  let faults: QueueFault[];

  beforeAll(async () => {
    backend = await createTestQueue(kind);
  });
  afterAll(() => backend.drop());
  beforeEach(async () => {
    faults = [];
    connection = await connectQueues({ url: backend.url, onError: (_error, fault) => faults.push(fault) });
  });
  afterEach(() => connection.close());

  const listen = (concurrency = 1) => {
    const seen: (string | null)[] = [];
    const consumer = connection.consumer(auditLink, (workspaceId) => void seen.push(workspaceId), { concurrency });
    return { seen, consumer };
  };

  it('tells its kind and that it is ready', async () => {
    expect(connection.kind).toBe(kind);
    await eventually('ready', async () => (await connection.readiness()).ok);
  });

  it('A2: a wake-up reaches the consumer of its queue and of no other', async () => {
    const { seen } = listen();
    const others: (string | null)[] = [];
    connection.consumer(usageIngest, (id) => void others.push(id), { concurrency: 1 });
    connection.producer(usageIngest).wake('w-usage');
    connection.producer(auditLink).wake('w-audit');
    await eventually('both arrive', () => seen.length > 0 && others.length > 0);
    expect([seen, others]).toEqual([['w-audit'], ['w-usage']]);
    expect(faults).toEqual([]);
  });

  it('A2: a burst is merged to one wake-up per workspace', async () => {
    const { seen } = listen(4);
    const producer = connection.producer(auditLink);
    for (let round = 0; round < 500; round += 1) for (const id of ['a', 'b', 'c']) producer.wake(id);
    await eventually('all sent', () => producer.counts.sent > 0);
    await eventually('all arrive', () => seen.length === 3);
    expect([...seen].sort()).toEqual(['a', 'b', 'c']);
    expect(producer.counts).toEqual({ sent: 3, dropped: 0 });
  });

  it('A2, Q6, Q7: a wake-up that arrives while the same workspace is worked on is not lost', async () => {
    let runs = 0;
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    connection.consumer(
      auditLink,
      async () => {
        runs += 1;
        if (runs === 1) await held;
      },
      { concurrency: 1 },
    );
    const producer = connection.producer(auditLink);
    producer.wake('w1');
    await eventually('the first job runs', () => runs === 1);
    producer.wake('w1');
    await eventually('the second wake-up is sent', () => producer.counts.sent === 2);
    release();
    await eventually('the handler runs again', () => runs === 2);
  });

  it('Q2: a job whose handler threw is not run again, and none behind it is lost', async () => {
    const seen: (string | null)[] = [];
    connection.consumer(
      auditLink,
      (workspaceId) => {
        seen.push(workspaceId);
        if (workspaceId !== 'last') throw new Error('the handler failed');
      },
      { concurrency: 1 },
    );
    const producer = connection.producer(auditLink);
    for (const id of ['fails 1', 'fails 2', 'fails 3']) producer.wake(id);
    await eventually('all ran', () => seen.length >= 3);
    // A job that is to be tried again stands behind this one at the latest.
    producer.wake('last');
    await eventually('the last one ran', () => seen.includes('last'));
    expect(seen.toSorted()).toEqual(['fails 1', 'fails 2', 'fails 3', 'last']);
  });

  it('Q10: survives empty and garbage job data, and a handler that throws', async () => {
    const seen: (string | null)[] = [];
    connection.consumer(
      auditLink,
      (workspaceId) => {
        seen.push(workspaceId);
        if (seen.length === 1) throw new Error('the handler failed');
      },
      { concurrency: 1 },
    );
    const raw = rawQueue(backend.url, auditLink.name);
    for (const data of [{}, 'text', { workspace_id: 7 }, null]) await raw.add(data);
    connection.producer(auditLink).wake('w9');
    await eventually('the sound one arrives last', () => seen.includes('w9'));
    expect(seen).toEqual([null, null, null, null, 'w9']);
    expect(faults).toContainEqual({ queue: auditLink.name, during: 'work' });
    await raw.close();
  });

  it('Q13, Q25: keeps no completed job, and puts nothing but the workspace id into the backend', async () => {
    const producer = connection.producer(auditLink);
    producer.wake('w1');
    await eventually('sent', () => producer.counts.sent === 1);
    const raw = rawQueue(backend.url, auditLink.name);
    expect((await raw.jobs()).filter((data) => JSON.stringify(data).includes('w1'))).toEqual([{ workspace_id: 'w1' }]);
    const { seen } = listen();
    await eventually('worked off', () => seen.includes('w1'));
    await eventually('removed', async () => {
      const counts = await raw.counts();
      return counts['completed'] === 0 && counts['waiting'] === 0 && counts['active'] === 0;
    });
    await raw.close();
  });

  it('O4: closing waits for a running handler, and gives up on one that hangs', async () => {
    let finished = false;
    let started = 0;
    const patient = connection.consumer(
      auditLink,
      async () => {
        started += 1;
        await new Promise((resolve) => setTimeout(resolve, 100));
        finished = true;
      },
      { concurrency: 1 },
    );
    connection.producer(auditLink).wake('w1');
    await eventually('running', () => started === 1);
    await patient.close(20_000);
    expect(finished).toBe(true);

    let release = () => {};
    const hung = connection.consumer(
      auditLink,
      () => {
        started += 1;
        return new Promise<void>((resolve) => {
          release = resolve;
        });
      },
      { concurrency: 1 },
    );
    connection.producer(auditLink).wake('w2');
    await eventually('hanging', () => started === 2);
    await hung.close(50);
    await connection.close();
    // Only now, so that BullMQ's own timers end with the test: closing did not wait for it.
    release();
  });

  it('close sends what is still waiting; afterwards wake is a silent no-op', async () => {
    const producer = connection.producer(auditLink);
    await eventually('ready', async () => (await connection.readiness()).ok);
    producer.wake('last');
    await producer.close();
    expect(producer.counts.sent).toBe(1);
    producer.wake('too late');
    await connection.close();
    expect(producer.counts).toEqual({ sent: 1, dropped: 0 });
  });
});
