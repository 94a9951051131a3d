import { createOperations, type Operations } from '@perdure/operations';
import { auditLink, connectQueues } from '@perdure/queues';
import {
  allowedOrigins,
  closeHttpServer,
  databaseUrl,
  environmentName,
  healthRouter,
  httpHost,
  httpPort,
  listen,
  poolSize,
  publicUrl,
  queueUrl,
  readConfig,
  runProcess,
  type ConfigOf,
  type ProcessContext,
  type ReadinessCheck,
} from '@perdure/service';
import { assertUnprivileged, createDataSource } from '@perdure/store';
import { createGatewayApp } from './app.js';
import { loopbackHostNames } from './browser-guard.js';
import { createMcpEndpoint } from './mcp-endpoint.js';

const SETTINGS = {
  databaseUrl: databaseUrl('PERDURE_DATABASE_URL'),
  queueUrl: queueUrl(),
  host: httpHost(),
  port: httpPort(7401),
  poolSize: poolSize(),
  publicUrl: publicUrl(),
  allowedOrigins: allowedOrigins(),
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
  const endpoint = createMcpEndpoint((error) => logger.warn({ err: error }, 'mcp transport'));
  lifecycle.onStop('mcp endpoint', () => endpoint.close(), 1_000);
  const app = createGatewayApp({
    ...operations,
    endpoint,
    logger,
    health: healthRouter({ ready: [ready], isDraining: () => lifecycle.isDraining }),
    allowedOrigins: config.allowedOrigins,
    hostNames: loopbackHostNames(config.host, config.publicUrl),
  });
  const server = await listen(app, config);
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
    applicationName: 'perdure-mcp-gateway',
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
    ...(config.publicUrl === null ? {} : { mcpUrl: `${config.publicUrl}/mcp` }),
  });
  const ready = { name: 'database', check: () => assertUnprivileged(dataSource).then(() => ({ ok: true })) };
  return { operations, ready };
}

void runProcess({ name: 'mcp-gateway', start });
