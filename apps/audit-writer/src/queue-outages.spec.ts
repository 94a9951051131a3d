import { auditLink, connectQueues } from '@perdure/queues';
import {
  createTestQueue,
  createTestRedis,
  startApp,
  testQueueKind,
  type TestActor,
  type TestApp,
  type TestRedis,
  type TestWorkspace,
} from '@perdure/testkit';
import { openAuditBench, type AuditBench } from './testing/audit-bench.js';
import { eventually } from './testing/eventually.js';
import { queueBooks } from './testing/queue-books.js';
import { redisCommand } from './testing/redis-command.js';

// Several processes: on a busy machine more than the usual minute.
jest.setTimeout(180_000);

let bench: AuditBench;
let workspace: TestWorkspace;
let agent: TestActor;

beforeAll(async () => {
  bench = await openAuditBench();
  workspace = await bench.installation.workspace();
  agent = await workspace.actor('agent-1');
});
afterAll(() => bench.close());

function start(name: 'audit-writer' | 'mcp-gateway', queueUrl: string): Promise<TestApp> {
  const { appUrl, writerUrl } = bench.installation.database;
  return startApp(name, {
    PERDURE_DATABASE_URL: appUrl,
    PERDURE_WRITER_DATABASE_URL: writerUrl,
    PERDURE_QUEUE_URL: queueUrl,
    PERDURE_ENV: 'test',
  });
}

/** Creates a project through the gateway. Fails when the call is refused; hangs when the gateway waits for its queue. */
async function createProject(gateway: TestApp, name: string): Promise<void> {
  const response = await fetch(`${gateway.url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${agent.token}`,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'create_project', arguments: { name } },
    }),
  });
  expect([response.status, await response.text()]).toEqual([200, expect.stringContaining(`"name":"${name}"`)]);
}

const drained = () => eventually('every event is linked', async () => (await bench.pendingCount()) === 0);

describe('the backend of the queue', () => {
  it('Q25: never sees what an operation was told', async () => {
    const queue = await createTestQueue();
    // Without a writer, so that the job stays where it can be looked at.
    const gateway = await start('mcp-gateway', queue.url);
    const books = queueBooks(queue);
    await createProject(gateway, 'canary');
    await eventually('the wake-up is there', async () => (await books.dump()).includes(workspace.id));
    const dump = await books.dump();
    for (const secret of ['canary', agent.token, agent.caller.actor.id, 'project.created']) {
      expect(dump).not.toContain(secret);
    }
    await gateway.stop();
    await queue.drop();
  });
});

// A run that was asked for the other backend may be on a machine without Redis.
if (testQueueKind() === 'redis') describe('while redis has faults', redisFaults);

function redisFaults() {
  let redis: TestRedis;
  let gateway: TestApp;
  let writer: TestApp;

  beforeAll(async () => {
    redis = await createTestRedis();
    [gateway, writer] = await Promise.all([start('mcp-gateway', redis.url), start('audit-writer', redis.url)]);
  });
  // Each test leaves Redis sound behind it.
  afterEach(async () => {
    await redisCommand(redis.url, 'CLIENT', 'UNPAUSE');
    await configure('maxmemory', 0);
    await configure('maxmemory-policy', 'noeviction');
  });
  afterAll(async () => {
    await Promise.all([gateway.stop(), writer.stop()]);
    await redis.drop();
  });

  const configure = (name: string, value: string | number) => redisCommand(redis.url, 'CONFIG', 'SET', name, value);

  let calls = 0;
  const call = (through = gateway) => createProject(through, `project-${(calls += 1)}`);

  const expectSoundChain = async () => {
    await drained();
    expect(await bench.findings(workspace)).toEqual([]);
  };

  /** Calls until a wake-up has come through: an outage that went before is over then, and a new one is logged. */
  async function untilWoken(): Promise<void> {
    const lastJob = () => redisCommand(redis.url, 'GET', `perdure:${auditLink.name}:id`);
    const before = await lastJob();
    await eventually('a wake-up comes through', async () => {
      await call();
      return (await lastJob()) !== before;
    });
  }

  it('Q14: requests are answered while redis is out of memory, and the sweep links', async () => {
    await untilWoken();
    await configure('maxmemory', 1);
    await call();
    await eventually('the wake-up was refused', () => gateway.log().includes('OOM command not allowed'));
    await expectSoundChain();
  });

  it('Q18: requests are answered while redis takes wake-ups and answers none', async () => {
    await untilWoken();
    await redisCommand(redis.url, 'CLIENT', 'PAUSE', 600_000, 'WRITE');
    await call();
    await eventually('the wake-up was given up', () => gateway.log().includes('sending wake-ups to audit-link took'));
    await expectSoundChain();
  });

  it('Q15: an evicting redis loses wake-ups and no event; the writer is not ready and names the policy', async () => {
    await configure('maxmemory-policy', 'allkeys-lru');
    await configure('maxmemory', 300_000);
    for (let index = 0; index < 20; index += 1) await call();
    await expectSoundChain();
    const evicted = /evicted_keys:(\d+)/.exec(await redisCommand(redis.url, 'INFO', 'stats'))?.[1];
    expect(Number(evicted)).toBeGreaterThan(0);
    await eventually('not ready', async () => {
      const answer = await fetch(`${writer.url}/readyz`);
      return answer.status === 503 && (await answer.text()).includes('maxmemory-policy allkeys-lru');
    });
    expect((await fetch(`${writer.url}/healthz`)).status).toBe(200);
  });

  it('Q16: FLUSHALL with 1,000 events waiting: the sweep links them', async () => {
    const queues = await connectQueues({ url: redis.url, onError: () => undefined });
    const producer = queues.producer(auditLink);
    const holder = await bench.admin.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT FROM audit_head WHERE workspace_id = $1 FOR UPDATE', [workspace.id]);
    const eventIds = await bench.record(workspace.id, 1000, 100);
    producer.wake(workspace.id);
    await eventually('woken', () => producer.counts.sent === 1);
    await redisCommand(redis.url, 'FLUSHALL');
    await holder.query('COMMIT');
    holder.release();
    await expectSoundChain();
    expect((await bench.chainOf(workspace.id)).slice(-1000)).toEqual(eventIds);
    await queues.close();
  });

  it('Q17, Q18: requests are answered with redis gone before the start or after it, and the sweep links', async () => {
    await redis.kill();
    await call();
    await drained();
    const late = await start('mcp-gateway', redis.url);
    await call(late);
    await drained();
    await redis.start();
    await Promise.all([call(), call(late)]);
    await expectSoundChain();
    await late.stop();
  });
}
