import {
  createTestInstallation,
  createTestPostgres,
  createTestRedis,
  testQueueKind,
  type TestApp,
  type TestInstallation,
  type TestPostgres,
  type TestRedis,
  type TestWorkspace,
} from '@perdure/testkit';
import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from './testing/eventually.js';
import { flushQueue } from './testing/queue-faults.js';
import { seededRandom } from './testing/seeded-random.js';
import { startWriting, type Writing } from './testing/steady-writers.js';
import { chainOf, countOf, expectGaplessChain, linked } from './testing/stored-chain.js';
import { wholeStack, type WholeStack } from './testing/whole-stack.js';

const WRITERS = 64;
const EVENTS_EACH = 100;
const WORKSPACES = 10;
const REDIS_OUTAGE_MS = 10_000;
/** A hang, not slowness, should end it: about 100 s on two busy cores. */
const TEST_MS = 600_000;

let postgres: TestPostgres;
let redis: TestRedis | null;
let installation: TestInstallation;
let stack: WholeStack;
let queueUrl: string;
let linkers: TestApp[];
let workspaces: TestWorkspace[];

beforeAll(async () => {
  postgres = await createTestPostgres();
  redis = testQueueKind() === 'redis' ? await createTestRedis() : null;
  queueUrl = redis?.url ?? postgres.queueUrl;
  installation = await createTestInstallation({ database: postgres.database });
  stack = await wholeStack({ installation, queueUrl });
  linkers = [await stack.start('audit-writer'), await stack.start('audit-writer')];
  workspaces = await Promise.all(Array.from({ length: WORKSPACES }, () => installation.workspace()));
});

afterAll(async () => {
  await stack.close();
  await installation.close();
  await redis?.drop();
  await postgres.drop();
});

test(
  `A2: ${WRITERS} writers × ${EVENTS_EACH} events in ${WORKSPACES} workspaces, linkers killed, the queue flushed and stopped, Postgres killed: every event once, in order, without a gap`,
  async () => {
    const gateways = [await stack.start('mcp-gateway'), await stack.start('mcp-gateway')];
    const writing = await startWriting(stack, { workspaces, gateways, writers: WRITERS, eventsEach: EVENTS_EACH });
    const [killed] = await Promise.all([disturb(writing), writing.done.catch(() => undefined)]);
    // An outage is no fault of ours: nothing may be logged as one, and nobody was refused for one.
    expect(gateways.flatMap((gateway) => errorsIn(gateway.log()))).toEqual([]);
    await writing.done;
    expect(killed).toBeGreaterThanOrEqual(8);
    const ids = workspaces.map(({ id }) => id);
    await linked(stack.admin, ids);
    await expectChainsOf(writing);
    expect(await countOf(stack.admin, 'decision', ids)).toBe(WRITERS * EVENTS_EACH);
    expect(await quarantined()).toBe(0);
    await expectVerified(gateways);
  },
  TEST_MS,
);

/** What befalls the system, by how many appends were acknowledged when it begins. Answers with the number of kills. */
async function disturb(writing: Writing): Promise<number> {
  const random = seededRandom(20261130);
  let killed = 0;
  const killOne = async () => {
    killed += 1;
    const [victim] = linkers.splice(random(linkers.length), 1);
    await victim?.kill();
  };
  const replaceOne = async () => {
    await killOne();
    linkers.push(await stack.start('audit-writer'));
  };
  const flush = () => flushQueue(queueUrl);
  const server = redis;
  const outage = server === null ? replaceOne : () => redisOutage(server, killOne);
  const troubles = [replaceOne, flush, replaceOne, outage, replaceOne, replaceOne];
  troubles.push(postgresCrash, replaceOne, flush, replaceOne, replaceOne);
  const total = WRITERS * EVENTS_EACH;
  for (const [index, trouble] of troubles.entries()) {
    const begins = Math.floor((total * (index + 0.5 + random(1000) / 2000)) / (troubles.length + 1));
    await eventually(`${begins} appends`, async () => writing.failed() || writing.acknowledged() >= begins, TEST_MS);
    if (!writing.failed()) await trouble();
  }
  return killed;
}

/** One linker dies meanwhile; the other goes on by its sweep. */
async function redisOutage(server: TestRedis, killOne: () => Promise<void>): Promise<void> {
  await server.stop();
  await killOne();
  const before = await entryCount();
  await pause(REDIS_OUTAGE_MS);
  expect(await entryCount()).toBeGreaterThan(before);
  await server.start();
  linkers.push(await stack.start('audit-writer'));
}

/** A queue on Postgres goes with it. */
async function postgresCrash(): Promise<void> {
  await postgres.kill();
  await postgres.start();
}

async function expectChainsOf({ writers }: Writing): Promise<void> {
  for (const { id } of workspaces) {
    const chain = await expectGaplessChain(stack.admin, id);
    const appended = chain.filter(({ type }) => type === 'decision.appended').map(({ subjectId }) => subjectId);
    const mine = writers.filter(({ workspaceId }) => workspaceId === id);
    expect(appended.toSorted()).toEqual(mine.flatMap(({ decisionIds }) => decisionIds).toSorted());
    for (const { decisionIds } of mine) {
      const own = new Set(decisionIds);
      expect(appended.filter((subjectId) => own.has(subjectId))).toEqual(decisionIds);
    }
  }
}

async function expectVerified([gateway]: readonly TestApp[]): Promise<void> {
  if (gateway === undefined) throw new Error('no gateway');
  for (const { id, owner } of workspaces) {
    const client = await stack.connect(gateway, owner.token);
    const { structuredContent } = await client.call('verify_audit_chain');
    const size = (await chainOf(stack.admin, id)).length;
    expect(structuredContent).toMatchObject({ ok: true, pending: 0, size, findings: [] });
  }
}

/** Lines that tell of a fault; that a call was answered with 503 tells of an outage. */
const errorsIn = (log: string): string[] =>
  log.split('\n').filter((line) => line.includes('"level":"error"') && !line.includes('"status":503'));

const entryCount = () => count('audit_entry');
const quarantined = () => count('audit_quarantine');

async function count(table: 'audit_entry' | 'audit_quarantine'): Promise<number> {
  const { rows } = await stack.admin.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${table}`);
  return rows[0]?.count ?? 0;
}
