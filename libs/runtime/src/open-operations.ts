import { createOperations, type Operations } from '@perdure/operations';
import { auditLink, connectQueues, usageIngest } from '@perdure/queues';
import {
  apiUrl,
  databaseUrl,
  environmentName,
  mcpUrl,
  poolSize,
  preparedStatements,
  publicUrl,
  queueUrl,
  usageBacklog,
  type ConfigOf,
  type ProcessContext,
  type ReadinessCheck,
} from '@perdure/service';
import { assertSchema, assertUnprivileged, createDataSource } from '@perdure/store';
import { installedMcpUrl } from './installed-mcp-url.js';

/** What a process that serves operations must be told. */
export const OPERATION_SETTINGS = {
  databaseUrl: databaseUrl('PERDURE_DATABASE_URL'),
  queueUrl: queueUrl(),
  poolSize: poolSize(),
  preparedStatements: preparedStatements(),
  environment: environmentName(),
  publicUrl: publicUrl(),
  mcpUrl: mcpUrl(),
  apiUrl: apiUrl(),
  usageBacklog: usageBacklog(),
};

export interface OpenedOperations {
  readonly operations: Operations;
  readonly dataSource: Awaited<ReturnType<typeof createDataSource>>;
  /** Wakes the audit writer up for a workspace. */
  readonly onCommitted: (workspaceId: string) => void;
  /** The database alone: a queue that is away costs latency, and no call must wait for it. */
  readonly ready: readonly ReadinessCheck[];
}

/**
 * The operations over Postgres, with a wake-up for the audit writer after each audited commit. What it opens is closed
 * by the lifecycle. Throws when the database cannot be reached, its role is privileged or its schema is another one.
 */
export async function openOperations(
  applicationName: string,
  config: ConfigOf<typeof OPERATION_SETTINGS>,
  { lifecycle, logger }: ProcessContext,
): Promise<OpenedOperations> {
  const dataSource = await createDataSource({
    url: config.databaseUrl,
    poolSize: config.poolSize,
    preparedStatements: config.preparedStatements,
    applicationName,
    onPoolError: (error) => logger.warn({ err: error }, 'an idle database connection broke'),
  });
  lifecycle.onStop('database', () => dataSource.destroy(), 5_000);
  await assertUnprivileged(dataSource);
  await assertSchema(dataSource);
  const queues = await connectQueues({
    url: config.queueUrl,
    onError: (error, fault) => logger.warn({ err: error, ...fault }, 'the queue does not answer; the sweep takes over'),
    logger,
  });
  lifecycle.onStop('queues', () => queues.close(), 10_000);
  const wakeUps = queues.producer(auditLink);
  const ingestWakeUps = queues.producer(usageIngest);
  const onCommitted = (workspaceId: string) => wakeUps.wake(workspaceId);
  const mcp = installedMcpUrl(config);
  const operations = createOperations({
    dataSource,
    onCommitted,
    onUsageReceived: (workspaceId) => ingestWakeUps.wake(workspaceId),
    usageBacklogLimit: config.usageBacklog,
    validateOutput: config.environment !== 'production',
    onInternalError: (error, { requestId, operation, workspaceId }) =>
      logger.error(
        { err: error, request_id: requestId, op: operation, workspace_id: workspaceId },
        'an operation failed',
      ),
    onLostUse: (error) => logger.warn({ err: error }, 'last uses of credentials were not written'),
    ...(mcp === null ? {} : { mcpUrl: mcp }),
    ...(config.apiUrl === null ? {} : { apiUrl: config.apiUrl }),
  });
  lifecycle.onStop('operations', () => operations.close(), 5_000);
  const ready = [{ name: 'database', check: () => assertSchema(dataSource).then(() => ({ ok: true })) }];
  return { operations, dataSource, onCommitted, ready };
}
