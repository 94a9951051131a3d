import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { endProcess, forgetProcess, freePort, noteProcess, startPostgres } from '@perdure/stack/services';
import { bootstrapRoles, databaseUrl, migrate } from '@perdure/store';
import { Client } from 'pg';
import { roleUrl, testServices } from './shared-servers.js';
import { databaseUrls, type TestDatabase } from './test-database.js';

/** A Postgres of a test's own with a migrated database: it may be stopped, killed and started again at the same address. */
export interface TestPostgres {
  database: TestDatabase;
  /** For PERDURE_QUEUE_URL: a database of the queue's own on the same server. */
  queueUrl: string;
  /** Fast: open transactions roll back, connections end. */
  stop(): Promise<void>;
  /** SIGKILL; the next start recovers from the log. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Stops it for good. */
  drop(): Promise<void>;
}

const DATABASE = 'perdure';
const QUEUE_DATABASE = 'perdure_queue';
const MAX_CONNECTIONS = 200;

/** Unlike the shared server it waits for the disk: what was acknowledged must survive a kill. */
export async function createTestPostgres(): Promise<TestPostgres> {
  const { runFolder, passwords } = testServices();
  const id = `postgres-${randomBytes(6).toString('hex')}`;
  const notes = path.join(runFolder, 'run');
  const port = await freePort();
  const launch = async () => {
    const started = await startPostgres({ dataDir: path.join(runFolder, id), port, maxConnections: MAX_CONNECTIONS });
    noteProcess(notes, id, started.pid);
    return started;
  };
  let running = await launch();
  const ended = async (end: Promise<unknown>) => {
    await end;
    forgetProcess(notes, id);
  };
  const stop = () => ended(running.stop());
  await bootstrapRoles({ superuserUrl: running.url, database: DATABASE, passwords });
  await createQueueDatabase(running.url);
  const urls = databaseUrls(databaseUrl(running.url, DATABASE), passwords);
  await migrate(urls.ownerUrl);
  return {
    // It goes with its server.
    database: { name: DATABASE, ...urls, drop: async () => undefined },
    queueUrl: roleUrl(databaseUrl(running.url, QUEUE_DATABASE), 'perdure_queue', passwords),
    stop,
    kill: () => ended(endProcess(running.pid, [['SIGKILL', 5000]])),
    start: async () => {
      running = await launch();
    },
    drop: stop,
  };
}

async function createQueueDatabase(superuserUrl: string): Promise<void> {
  const client = new Client({ connectionString: superuserUrl });
  await client.connect();
  await client.query(`CREATE DATABASE ${QUEUE_DATABASE} OWNER perdure_queue`);
  await client.end();
}
