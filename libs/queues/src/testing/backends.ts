import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { testRedis, type TestRedis } from './redis-server.js';

const POSTGRES_URL = process.env['PERDURE_TEST_POSTGRES_URL'] ?? '';

/** A backend of one test file: a redis-server of its own, or a schema of its own. */
export interface TestBackend {
  kind: 'redis' | 'postgres';
  url: string;
  remove(): Promise<void>;
}

export async function redisForTest(settings?: Record<string, string>): Promise<TestBackend & { server: TestRedis }> {
  const server = await testRedis(settings);
  await server.start();
  return { kind: 'redis', url: server.url, server, remove: () => server.remove() };
}

export async function postgresForTest(): Promise<TestBackend & { schema: string }> {
  const schema = `queue_${randomBytes(6).toString('hex')}`;
  const url = new URL(POSTGRES_URL);
  url.searchParams.set('schema', schema);
  return {
    kind: 'postgres',
    url: url.toString(),
    schema,
    async remove() {
      const client = new Client({ connectionString: POSTGRES_URL });
      await client.connect();
      await client.query(`drop schema if exists "${schema}" cascade`);
      await client.end();
    },
  };
}
