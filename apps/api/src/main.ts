import { createOperations, type Operations } from '@perdure/operations';
import { auditLink, connectQueues } from '@perdure/queues';
import {
  closeHttpServer,
  databaseUrl,
  environmentName,
  healthRouter,
  httpHost,
  httpPort,
  listen,
  poolSize,
  queueUrl,
  readConfig,
  runProcess,
  type ConfigOf,
  type ProcessContext,
  type ReadinessCheck,
} from '@perdure/service';
import { assertUnprivileged, createDataSource } from '@perdure/store';
import { createApiApp } from './app.js';

const SETTINGS = {
  databaseUrl: databaseUrl('PERDURE_DATABASE_URL'),
  queueUrl: queueUrl(),
  host: httpHost(),
  port: httpPort(7400),
  poolSize: poolSize(),
  environment: environmentName(),
};

type Config = ConfigOf<typeof SETTINGS>;

/** Calls in flight may finish; a supervisor kills after 30 s at the earliest. */
const DRAIN_MS = 10_000;

async function start(context: ProcessContext): Promise<void> {
  const { lifecycle, logger, env } = context;
  const { config, warnings } = readConfig(SETTINGS, env);
  for (const warning of warnings) logger.warn(warning);
  const { operations, ready } = await openOperations(config, context);
  const health = healthRouter({ ready: [ready], isDraining: () => lifecycle.isDraining });
  const server = await listen(createApiApp({ ...operations, health, logger }), config);
  lifecycle.onStop('http', () => closeHttpServer(server, DRAIN_MS), DRAIN_MS + 1_000);
}

/** The operations over Postgres, with wake-ups for the audit writer after each audited commit. */
async function openOperations(
  config: Config,
  { lifecycle, logger }: ProcessContext,
): Promise<{ operations: Operations; ready: ReadinessCheck }> {
  const dataSource = await createDataSource({
    url: config.databaseUrl,
    poolSize: config.poolSize,
    applicationName: 'perdure-api',
    onPoolError: (error) => logger.warn({ err: error }, 'an idle database connection broke'),
  });
  lifecycle.onStop('database', () => dataSource.destroy(), 5_000);
  await assertUnprivileged(dataSource);
  const queues = await connectQueues({
    url: config.queueUrl,
    onError: (error, fault) => logger.warn({ err: error, ...fault }, 'the queue does not answer; the sweep takes over'),
  });
  lifecycle.onStop('queues', () => queues.close(), 10_000);
  const wakeUps = queues.producer(auditLink);
  const operations = createOperations({
    dataSource,
    onCommitted: (workspaceId) => wakeUps.wake(workspaceId),
    validateOutput: config.environment !== 'production',
    onInternalError: (error, where) => logger.error({ err: error, ...where }, 'an operation failed'),
  });
  const ready = { name: 'database', check: () => assertUnprivileged(dataSource).then(() => ({ ok: true })) };
  return { operations, ready };
}

void runProcess({ name: 'api', start });
