import { auditLink, connectQueues, type QueueConnection } from '@perdure/queues';
import {
  closeHttpServer,
  databaseUrl,
  httpHost,
  httpPort,
  logLevel,
  Metrics,
  queueUrl,
  readConfig,
  runProcess,
  startHealthServer,
  type ProcessContext,
} from '@perdure/service';
import { assertUnprivileged, createDataSource } from '@perdure/store';
import { Pool } from 'pg';
import { createDrain } from './drain.js';
import { createPurgeSweep } from './purge-sweep.js';
import { writerMetrics } from './writer-metrics.js';

const APP = 'audit-writer';

/** One drains, one answers readiness; the third spares a wait when one of them is being replaced. */
const CONNECTIONS = 3;
/** Longer than the role's statement_timeout of 15 s: this one is for a server that no longer answers at all. */
const QUERY_TIMEOUT_MS = 20_000;
/** Of one workspace with all its rows. */
const PURGE_TIMEOUT_MS = 60 * 60_000;

void runProcess({ name: APP, start });

async function start({ lifecycle, logger, env }: ProcessContext): Promise<void> {
  const { config, warnings } = readConfig(
    {
      databaseUrl: databaseUrl('PERDURE_WRITER_DATABASE_URL'),
      queueUrl: queueUrl(),
      host: httpHost(),
      port: httpPort(4102),
      level: logLevel(),
    },
    env,
  );
  for (const warning of warnings) logger.warn(warning);
  await refusePrivilegedRole(config.databaseUrl);

  const metrics = new Metrics(APP);
  const pool = openPool(config.databaseUrl, {
    max: CONNECTIONS,
    queryTimeoutMs: QUERY_TIMEOUT_MS,
    onError: (error) => logger.warn({ err: error }, 'a database connection broke'),
  });
  lifecycle.onStop('database', () => pool.end(), 5000);

  const drain = createDrain({ pool, logger, metrics: writerMetrics(metrics) });
  let queues: QueueConnection | null = null;
  const server = await startHealthServer({
    host: config.host,
    port: config.port,
    live: () => drain.live(),
    ready: [
      { name: 'database', check: () => pool.query('SELECT 1 FROM audit_head LIMIT 1').then(() => ({ ok: true })) },
      { name: 'queue', check: () => queues?.readiness() ?? { ok: false, detail: 'connecting' } },
    ],
    isDraining: () => lifecycle.isDraining,
    metrics,
  });
  // Registered before the work, so that health answers until the work has stopped.
  lifecycle.onStop('http', () => closeHttpServer(server, 2000), 5000);
  lifecycle.onStop('drain', () => drain.stop(), 20_000);
  drain.start();
  const purgePool = openPool(config.databaseUrl, {
    max: 1,
    queryTimeoutMs: PURGE_TIMEOUT_MS,
    onError: (error) => logger.warn({ err: error }, 'the database connection of deletions broke'),
  });
  lifecycle.onStop('database of deletions', () => purgePool.end(), 5_000);
  const purge = createPurgeSweep({ pool: purgePool, logger });
  lifecycle.onStop('deletions', () => purge.stop(), 5_000);
  purge.start();

  queues = await connectQueues({
    url: config.queueUrl,
    onError: (error, fault) => logger.warn({ err: error, ...fault }, 'queue out of reach; the sweep goes on'),
    logger,
  });
  lifecycle.onStop('queue', () => queues?.close(), 15_000);
  queues.consumer(auditLink, () => drain.wake(), { concurrency: 4 });
}

/** A role that owns tables or passes by row-level security would make its policies a decoration. */
async function refusePrivilegedRole(url: string): Promise<void> {
  const dataSource = await createDataSource({ url, poolSize: 1, applicationName: APP });
  try {
    await assertUnprivileged(dataSource);
  } finally {
    await dataSource.destroy();
  }
}

interface PoolOptions {
  readonly max: number;
  readonly queryTimeoutMs: number;
  readonly onError: (error: Error) => void;
}

function openPool(url: string, { max, queryTimeoutMs, onError }: PoolOptions): Pool {
  const pool = new Pool({
    connectionString: url,
    max,
    application_name: APP,
    connectionTimeoutMillis: 5000,
    query_timeout: queryTimeoutMs,
    keepAlive: true,
  });
  // Without a listener the loss of an idle connection would end the process.
  pool.on('error', onError);
  return pool;
}
