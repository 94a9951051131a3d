import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { findRedisServer, startPostgres, startRedis } from '@perdure/stack/services';
import { bootstrapRoles, databaseUrl, migrate, ROLES, type RoleName } from '@perdure/store';
import { Client } from 'pg';

/** A migrated database of the cluster, with an url for each role that is used here. */
export interface BenchDatabase {
  readonly name: string;
  readonly appUrl: string;
  readonly ownerUrl: string;
  readonly writerUrl: string;
  readonly superuserUrl: string;
}

/** A throwaway Postgres with fsync on, as in production: a durable commit is most of what a write costs. */
export interface BenchCluster {
  /** Logs and data; deleted at the end. */
  readonly folder: string;
  readonly dataDir: string;
  readonly queueUrl: string;
  readonly queueKind: string;
  createDatabase(name: string): Promise<BenchDatabase>;
  close(): Promise<void>;
}

/** 64 writers twice, a gateway or two, a writer. */
const MAX_CONNECTIONS = 250;

export async function startCluster(): Promise<BenchCluster> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'perdure-bench-'));
  // As root, Postgres runs under another uid and must pass through.
  chmodSync(folder, 0o711);
  const options = { dataDir: path.join(folder, 'postgres'), maxConnections: MAX_CONNECTIONS };
  const first = await startPostgres(options);
  // For the lag: the exact instant at which a row became durable, without a question asked meanwhile.
  await asSuperuser(first.url, (client) => client.query('ALTER SYSTEM SET track_commit_timestamp = on'));
  await first.stop();
  const postgres = await startPostgres(options);
  const entries = ROLES.map((role) => [role, randomBytes(18).toString('base64url')]);
  const passwords = Object.fromEntries(entries) as Record<RoleName, string>; // one entry for each of ROLES
  const queue = await startQueue(folder, postgres.url, passwords);
  return {
    folder,
    dataDir: postgres.dataDir,
    queueUrl: queue.url,
    queueKind: queue.kind,
    createDatabase: (name) => createDatabase(postgres.url, name, passwords),
    close: async () => {
      await queue.stop();
      await postgres.stop();
      rmSync(postgres.dataDir, { recursive: true, force: true });
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Redis when there is one on PATH, else the queue on Postgres in a database of its own: what `npm start` would do. */
async function startQueue(folder: string, superuserUrl: string, passwords: Readonly<Record<RoleName, string>>) {
  if (findRedisServer() !== null) {
    const redis = await startRedis({ dataDir: path.join(folder, 'redis'), persistent: true });
    return { url: redis.url, kind: 'Redis, append-only file', stop: () => redis.stop() };
  }
  await bootstrapRoles({ superuserUrl, database: 'bench_roles', passwords });
  await asSuperuser(superuserUrl, (client) => client.query('CREATE DATABASE bench_queue OWNER perdure_queue'));
  const url = asRole(databaseUrl(superuserUrl, 'bench_queue'), 'perdure_queue', passwords);
  return { url, kind: 'Postgres', stop: async () => undefined };
}

async function createDatabase(
  clusterUrl: string,
  name: string,
  passwords: Readonly<Record<RoleName, string>>,
): Promise<BenchDatabase> {
  const superuserUrl = databaseUrl(clusterUrl, name);
  await bootstrapRoles({ superuserUrl: clusterUrl, database: name, passwords });
  const ownerUrl = asRole(superuserUrl, 'perdure_owner', passwords);
  await migrate(ownerUrl);
  return {
    name,
    superuserUrl,
    ownerUrl,
    appUrl: asRole(superuserUrl, 'perdure_app', passwords),
    writerUrl: asRole(superuserUrl, 'perdure_writer', passwords),
  };
}

function asRole(url: string, role: RoleName, passwords: Readonly<Record<RoleName, string>>): string {
  const changed = new URL(url);
  changed.username = role;
  changed.password = passwords[role];
  return changed.toString();
}

/** One connection as superuser, closed again. */
export async function asSuperuser<Result>(url: string, work: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
