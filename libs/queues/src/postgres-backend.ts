import {
  LATEST_SCHEMA_VERSION,
  assertSchemaCompatibility,
  createPostgresBackend,
  runMigrations,
  SchemaMigrationRequiredError,
  type PgQueryable,
  withBackend,
} from 'bullmq';
import { Pool, type PoolClient } from 'pg';
import {
  wakeUpJobs,
  workerOptions,
  type OpenQueue,
  type OpenWorker,
  type QueueBackend,
  type QueueReadiness,
  type WorkerSignals,
} from './backend.js';
import { within } from './deadline.js';
import type { PostgresAddress } from './queue-address.js';
import type { QueueDefinition } from './queue-definition.js';

const READINESS_MS = 1000;
const CONNECT_MS = 2000;

const { Queue, Worker } = withBackend(createPostgresBackend);

/**
 * BullMQ on Postgres, in a schema of its own. Connections: one here, up to two per producer, and up to three plus
 * one that LISTENs per worker. LISTEN does not pass a pooler in transaction mode: the url must be a direct one.
 */
export class PostgresBackend implements QueueBackend {
  readonly kind = 'postgres';
  private readonly pool: Pool;

  constructor(
    private readonly address: PostgresAddress,
    failed: (error: Error) => void,
  ) {
    this.pool = new Pool({ ...this.connection(1), connectionTimeoutMillis: CONNECT_MS });
    this.pool.on('error', failed);
  }

  /** Brings the schema up to date. It is created when it is missing; when it is there, the role need only own it. */
  async prepare(): Promise<void> {
    const client = await this.pool.connect();
    try {
      if (await this.isCurrent(client)) return;
      await runMigrations(await this.withoutCreateSchema(client), this.address.schema);
    } finally {
      client.release();
    }
  }

  openQueue(definition: QueueDefinition, failed: (error: Error) => void): OpenQueue {
    const connection = { ...this.connection(2), connectionTimeoutMillis: CONNECT_MS, query_timeout: 10_000 };
    const queue = new Queue(definition.name, { connection });
    queue.on('error', failed);
    return {
      ready: () => queue.waitUntilReady(),
      // Not addBulk: its function makes temporary tables, a right the role does not have and catalogue rows for nothing.
      add: (workspaceIds) =>
        Promise.all(wakeUpJobs(definition, workspaceIds).map(({ name, data, opts }) => queue.add(name, data, opts))),
      close: () => queue.close(),
    };
  }

  openWorker(definition: QueueDefinition, signals: WorkerSignals): OpenWorker {
    const worker = new Worker(definition.name, async (job) => signals.process(job.data), {
      connection: { ...this.connection(3), connectionTimeoutMillis: CONNECT_MS },
      concurrency: signals.concurrency,
      ...workerOptions(definition),
    });
    worker.on('error', signals.failed);
    worker.on('failed', (_job, error) => signals.failed(error));
    worker.on('active', signals.alive);
    return {
      ready: () => worker.waitUntilReady(),
      close: () => worker.close(),
      abandon: async () => {
        await worker.getBackend().close(true);
      },
    };
  }

  async readiness(): Promise<QueueReadiness> {
    try {
      await within(this.pool.query('select 1'), READINESS_MS, 'the answer of postgres');
      return { ok: true, detail: 'the queue database answers' };
    } catch {
      return { ok: false, detail: `the queue database did not answer within ${READINESS_MS} ms` };
    }
  }

  async close(): Promise<void> {
    await this.pool.end();
  }

  private connection(max: number) {
    const { url, schema, options } = this.address;
    return { connectionString: url, schema, max, ...(options === undefined ? {} : { options }) };
  }

  /**
   * BullMQ opens its migrations with CREATE SCHEMA IF NOT EXISTS, and Postgres asks for the right to create schemas
   * even when there is nothing to create: a role that owns one schema and no more would be refused.
   */
  private async withoutCreateSchema(client: PgQueryable): Promise<PgQueryable> {
    const { rows } = await client.query('select 1 from pg_namespace where nspname = $1', [this.address.schema]);
    if (rows.length === 0) return client;
    return {
      query: <Row>(text: string, parameters?: readonly unknown[]) =>
        text.startsWith('CREATE SCHEMA IF NOT EXISTS')
          ? Promise.resolve({ rows: [] })
          : client.query<Row>(text, parameters),
    };
  }

  private async isCurrent(client: PoolClient): Promise<boolean> {
    try {
      return (await assertSchemaCompatibility(client, this.address.schema)) >= LATEST_SCHEMA_VERSION;
    } catch (error) {
      if (error instanceof SchemaMigrationRequiredError) return false;
      throw error;
    }
  }
}
