import { connectQueues, usageIngest, type QueueConnection } from '@perdure/queues';
import {
  closeHttpServer,
  databaseUrl,
  httpHost,
  httpPort,
  logLevel,
  Metrics,
  preparedStatements,
  queueUrl,
  readConfig,
  runProcess,
  startHealthServer,
  usageBatchDays,
  type ProcessContext,
} from '@perdure/service';
import { assertUnprivileged, createDataSource } from '@perdure/store';
import { Pool } from 'pg';
import { ingestMetrics } from './ingest-metrics.js';
import { createHousekeeping } from './housekeeping.js';
import { createIngest } from './ingest.js';

const APP = 'usage-ingest';

/** One applies, one answers readiness, one tidies up; the fourth spares a wait when one of them is being replaced. */
const CONNECTIONS = 4;

void runProcess({ name: APP, start });

async function start({ lifecycle, logger, env }: ProcessContext): Promise<void> {
  const { config, warnings } = readConfig(
    {
      databaseUrl: databaseUrl('PERDURE_INGEST_DATABASE_URL'),
      queueUrl: queueUrl(),
      host: httpHost(),
      port: httpPort(4103),
      level: logLevel(),
      batchDays: usageBatchDays(),
      preparedStatements: preparedStatements(),
    },
    env,
  );
  for (const warning of warnings) logger.warn(warning);
  await refusePrivilegedRole(config.databaseUrl);

  const metrics = new Metrics(APP);
  const pool = openPool(config.databaseUrl, (error) => logger.warn({ err: error }, 'a database connection broke'));
  lifecycle.onStop('database', () => pool.end(), 5000);

  const counted = ingestMetrics(metrics);
  const ingest = createIngest({
    pool,
    logger,
    metrics: counted,
    preparedStatements: config.preparedStatements,
  });
  const housekeeping = createHousekeeping({ pool, logger, metrics: counted, days: config.batchDays });
  let queues: QueueConnection | null = null;
  const server = await startHealthServer({
    host: config.host,
    port: config.port,
    live: () => ingest.live(),
    ready: [
      { name: 'database', check: () => pool.query('SELECT 1 FROM usage_batch LIMIT 1').then(() => ({ ok: true })) },
      { name: 'queue', check: () => queues?.readiness() ?? { ok: false, detail: 'connecting' } },
    ],
    isDraining: () => lifecycle.isDraining,
    metrics,
  });
  // Registered before the work, so that health answers until the work has stopped.
  lifecycle.onStop('http', () => closeHttpServer(server, 2000), 5000);
  lifecycle.onStop('ingest', () => ingest.stop(), 20_000);
  lifecycle.onStop('housekeeping', () => housekeeping.stop(), 20_000);
  ingest.start();
  housekeeping.start();

  queues = await connectQueues({
    url: config.queueUrl,
    onError: (error, fault) => logger.warn({ err: error, ...fault }, 'queue out of reach; the sweep goes on'),
    logger,
  });
  lifecycle.onStop('queue', () => queues?.close(), 15_000);
  queues.consumer(usageIngest, () => ingest.wake(), { concurrency: 4 });
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

function openPool(url: string, onError: (error: Error) => void): Pool {
  const pool = new Pool({
    connectionString: url,
    max: CONNECTIONS,
    application_name: APP,
    connectionTimeoutMillis: 5000,
    // Longer than the role's statement_timeout of 15 s: this one is for a server that no longer answers at all.
    query_timeout: 20_000,
    keepAlive: true,
  });
  // Without a listener the loss of an idle connection would end the process.
  pool.on('error', onError);
  return pool;
}
