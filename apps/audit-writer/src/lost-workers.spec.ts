import { auditLink, connectQueues, type QueueConnection } from '@perdure/queues';
import { createLogger, type DrainLoop, Metrics } from '@perdure/service';
import { createTestQueue, type TestQueue, type TestWorkspace } from '@perdure/testkit';
import { createDrain } from './drain.js';
import { openAuditBench, type AuditBench } from './testing/audit-bench.js';
import { eventually } from './testing/eventually.js';
import { queueBooks, type QueueBooks } from './testing/queue-books.js';
import { startSlowLinker, type SlowLinker } from './testing/start-slow-linker.js';
import { writerMetrics } from './writer-metrics.js';

const NEVER_MS = 600_000;

// Processes from their sources: on a busy machine more than the usual minute.
jest.setTimeout(180_000);

describe('a worker that is lost while its link job is active', () => {
  let bench: AuditBench;
  let workspace: TestWorkspace;
  let queue: TestQueue;
  let books: QueueBooks;
  let wake: () => void;
  let drain: DrainLoop | null;
  let metrics: Metrics;
  let connections: QueueConnection[];
  let linkers: SlowLinker[];

  beforeAll(async () => {
    bench = await openAuditBench();
  });
  afterAll(() => bench.close());
  beforeEach(async () => {
    [connections, linkers, drain] = [[], [], null];
    workspace = await bench.installation.workspace();
    queue = await createTestQueue();
    books = queueBooks(queue);
    const producer = (await connect()).producer(auditLink);
    wake = () => producer.wake(workspace.id);
  });
  afterEach(async () => {
    await Promise.all(linkers.map((linker) => linker.kill()));
    await Promise.all(connections.map((connection) => connection.close()));
    await drain?.stop();
    await queue.drop();
  });

  async function connect(): Promise<QueueConnection> {
    const connection = await connectQueues({ url: queue.url, onError: () => undefined });
    connections.push(connection);
    return connection;
  }

  function startDrain(sweepMs: number): void {
    const logger = createLogger({ app: 'audit-writer', level: 'info' }, { write: () => undefined });
    metrics = new Metrics('audit-writer');
    drain = createDrain({ pool: bench.newWriterPool(), logger, metrics: writerMetrics(metrics), sweepMs });
    drain.start();
  }

  const batches = async () => Number(/batch_seconds_count\S* (\d+)/.exec(await metrics.render())?.[1] ?? 0);

  function startLinker(): SlowLinker {
    const linker = startSlowLinker(queue.url, bench.installation.database.writerUrl);
    linkers.push(linker);
    return linker;
  }

  /** A consumer as the writer's. BullMQ checks for stalled jobs whenever one starts. */
  async function consume(): Promise<(string | null)[]> {
    const jobs: (string | null)[] = [];
    const take = (workspaceId: string | null) => {
      jobs.push(workspaceId);
      drain?.wake();
    };
    (await connect()).consumer(auditLink, take, { concurrency: 4 });
    return jobs;
  }

  const drained = () => eventually('every event is linked', async () => (await bench.pendingCount()) === 0);

  it('Q3: an event loop blocked for longer than the lock: the job runs twice, every event is linked once', async () => {
    const eventIds = await bench.record(workspace.id, 3);
    const blocked = startLinker();
    wake();
    await blocked.said('linking');
    startDrain(20);
    await books.expire();
    const first = await consume();
    await eventually('its job is marked', async () => (await books.marked()) > 0);
    await books.expire();
    const second = await consume();
    await eventually('its job is handed out again', () => first.length + second.length > 0);
    // The same workspace under the eyes of the second, and another one, which the first does not hold.
    const other = await bench.installation.workspace();
    const [late, theirs] = [await bench.record(workspace.id, 2), await bench.record(other.id, 2)];
    await eventually('the second links', async () => (await bench.chainOf(other.id)).length >= theirs.length);
    expect(blocked.hasSaid('linked')).toBe(false);
    blocked.release();
    await blocked.said('linked');
    await drained();
    expect([...first, ...second]).toEqual([workspace.id]);
    expect((await bench.chainOf(workspace.id)).slice(-5)).toEqual([...eventIds, ...late]);
    expect([...(await bench.findings(workspace)), ...(await bench.findings(other))]).toEqual([]);
  });

  it('Q4: killed: the sweep links what it left, while BullMQ still takes its job for active', async () => {
    const eventIds = await bench.record(workspace.id, 3);
    const linker = startLinker();
    wake();
    await linker.said('linking');
    startDrain(20);
    // They find the head held. What is linked after the kill is not linked by the look that a drain takes at its start.
    await eventually('it has swept', async () => (await batches()) > 1);
    await linker.kill();
    await drained();
    expect(await books.active()).toBe(1);
    expect((await bench.chainOf(workspace.id)).slice(-3)).toEqual(eventIds);
    expect(await bench.findings(workspace)).toEqual([]);
  });

  it('Q5: killed twice: its job fails for good, and the next wake-up links everything', async () => {
    // Nothing but a wake-up makes it link what comes after its start.
    startDrain(NEVER_MS);
    await drained();
    const eventIds = await bench.record(workspace.id, 3);
    const killed = startLinker();
    wake();
    await killed.said('linking');
    await killed.kill();
    await books.expire();
    const one = startLinker();
    await eventually('its job is marked', async () => (await books.marked()) > 0);
    await books.expire();
    const other = startLinker();
    await eventually('one of the next gets the same job', () => one.hasSaid('linking') || other.hasSaid('linking'));
    await Promise.all([one.kill(), other.kill()]);

    await books.expire();
    const jobs = await consume();
    await eventually('its job is marked', async () => (await books.marked()) > 0);
    await books.expire();
    const more = await consume();
    await eventually('its job has failed for good', async () => (await books.failed()) === 1);
    expect([...jobs, ...more]).toEqual([]);
    wake();
    await drained();
    expect((await bench.chainOf(workspace.id)).slice(-3)).toEqual(eventIds);
    expect(await bench.findings(workspace)).toEqual([]);
  });
});
