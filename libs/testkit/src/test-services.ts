// Runs beside jest (see jest.global-setup.cjs): the servers all tests share. Announces them in one line of JSON on stdout,
// and ends when its stdin closes.
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {
  endLeftovers,
  startPostgres,
  startRedis,
  type RunningPostgres,
  type RunningRedis,
} from '@perdure/stack/services';
import { bootstrapRoles, databaseUrl, migrate, ROLES, type RoleName } from '@perdure/store';
import { Client } from 'pg';
import { obtainRedisServer } from './redis-program.js';
import { roleUrl, TEMPLATE, type TestServices } from './shared-servers.js';

/** Two workers with one database per test file each, and applications with pools of their own. */
const MAX_CONNECTIONS = 300;

async function main(): Promise<void> {
  const end = endRequested();
  const runFolder = mkdtempSync(path.join(os.tmpdir(), 'perdure-test-'));
  // As root, Postgres runs under another uid and must pass through.
  chmodSync(runFolder, 0o711);
  mkdirSync(path.join(runFolder, 'run'));
  const postgres = await startPostgres({
    dataDir: path.join(runFolder, 'postgres'),
    ephemeral: true,
    maxConnections: MAX_CONNECTIONS,
  });
  const redis = await startSharedRedis(runFolder);
  const services = await describe(runFolder, postgres, redis);
  process.stdout.write(`${JSON.stringify(services)}\n`);
  await end;
  await endLeftovers(path.join(runFolder, 'run'));
  if (typeof redis !== 'string') await redis.stop();
  await postgres.stop();
  rmSync(runFolder, { recursive: true, force: true });
}

/** Our stdin closes with jest, however that ends. A terminal's Ctrl-C reaches the whole group: jest ends by itself then. */
function endRequested(): Promise<unknown> {
  process.on('SIGINT', () => undefined);
  return new Promise((resolve) => {
    process.stdin.once('end', resolve).once('close', resolve).resume();
    process.once('SIGTERM', resolve);
  });
}

/** The server, or why there is none: a test that needs no queue need not care. */
async function startSharedRedis(runFolder: string): Promise<RunningRedis | string> {
  try {
    const program = obtainRedisServer();
    return await startRedis({ dataDir: path.join(runFolder, 'redis'), persistent: false, program });
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function describe(
  runFolder: string,
  postgres: RunningPostgres,
  redis: RunningRedis | string,
): Promise<TestServices> {
  const entries = ROLES.map((role) => [role, randomBytes(18).toString('base64url')]);
  const passwords = Object.fromEntries(entries) as Record<RoleName, string>; // one entry for each of ROLES
  await bootstrapRoles({ superuserUrl: postgres.url, database: TEMPLATE, passwords });
  await migrate(roleUrl(databaseUrl(postgres.url, TEMPLATE), 'perdure_owner', passwords));
  await freeze(postgres.url);
  const found =
    typeof redis === 'string' ? { redisUrl: null, redisProblem: redis } : { redisUrl: redis.url, redisProblem: null };
  return { runFolder, superuserUrl: postgres.url, passwords, ...found };
}

/** A template with a connection to it cannot be copied. */
async function freeze(superuserUrl: string): Promise<void> {
  const client = new Client({ connectionString: superuserUrl });
  await client.connect();
  await client.query(`ALTER DATABASE ${TEMPLATE} WITH ALLOW_CONNECTIONS false IS_TEMPLATE true`);
  await client.end();
}

void main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
});
