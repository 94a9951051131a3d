import { randomBytes } from 'node:crypto';
import { databaseUrl } from '@perdure/store';
import { roleUrl, testServices } from './shared-servers.js';
import { asSuperuser, dropDatabase } from './test-database.js';

export type TestQueueKind = 'redis' | 'postgres';

/** A queue of its own on the shared server. */
export interface TestQueue {
  /** For PERDURE_QUEUE_URL. */
  url: string;
  kind: TestQueueKind;
  drop(): Promise<void>;
}

/** Which backend this run tests: PERDURE_TEST_QUEUE, else Redis. */
export function testQueueKind(): TestQueueKind {
  const kind = process.env.PERDURE_TEST_QUEUE ?? 'redis';
  if (kind === 'redis' || kind === 'postgres') return kind;
  throw new Error(`PERDURE_TEST_QUEUE is redis or postgres, not ${kind}.`);
}

/**
 * A key prefix of its own on Redis, a database of its own on Postgres, so that test files do not see each other's jobs.
 * Throws with what to install when there is no Redis. To stop or flush a whole server, start one: `createTestRedis`.
 */
export function createTestQueue(kind: TestQueueKind = testQueueKind()): Promise<TestQueue> {
  return kind === 'redis' ? createOnRedis() : createOnPostgres();
}

async function createOnRedis(): Promise<TestQueue> {
  const { redisUrl, redisProblem } = testServices();
  if (redisUrl === null) throw new Error(redisProblem ?? 'There is no Redis.');
  const url = new URL(redisUrl);
  url.searchParams.set('prefix', `test_${randomBytes(6).toString('hex')}`);
  // The server lives as long as the run: its keys need no sweeping.
  return { url: url.toString(), kind: 'redis', drop: async () => undefined };
}

async function createOnPostgres(): Promise<TestQueue> {
  const { superuserUrl, passwords } = testServices();
  const name = `queue_${randomBytes(6).toString('hex')}`;
  await asSuperuser(async (client) => {
    await client.query(`CREATE DATABASE ${name} OWNER perdure_queue`);
  });
  const url = roleUrl(databaseUrl(superuserUrl, name), 'perdure_queue', passwords);
  return { url, kind: 'postgres', drop: () => dropDatabase(name) };
}
