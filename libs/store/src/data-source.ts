import 'reflect-metadata';
import { DataSource } from 'typeorm';
import { ActorEntity } from './entities/actor.js';
import { AuditEntryEntity } from './entities/audit-entry.js';
import { AuditEventEntity } from './entities/audit-event.js';
import { BuildSessionEntity } from './entities/build-session.js';
import { CredentialEntity } from './entities/credential.js';
import { DecisionEntity } from './entities/decision.js';
import { IdempotencyRecordEntity } from './entities/idempotency-record.js';
import { ProjectEntity } from './entities/project.js';
import { UsageBatchEntity } from './entities/usage-batch.js';
import { UsageReportEntity } from './entities/usage-report.js';
import { WorkspaceEntity } from './entities/workspace.js';
import { SCHEMA_VERSION } from './migrate.js';
import { nameStatements } from './statement-names.js';

const ENTITIES = [
  ActorEntity,
  AuditEntryEntity,
  AuditEventEntity,
  BuildSessionEntity,
  CredentialEntity,
  DecisionEntity,
  IdempotencyRecordEntity,
  ProjectEntity,
  UsageBatchEntity,
  UsageReportEntity,
  WorkspaceEntity,
];

interface DataSourceOptions {
  readonly url: string;
  /** Connections at most; a call uses one at a time. */
  readonly poolSize: number;
  readonly applicationName: string;
  /** Whether statements are kept parsed and planned by name; on unless said otherwise. */
  readonly preparedStatements?: boolean;
  /** Told about connections that broke while idle; node-postgres would otherwise end the process. */
  readonly onPoolError?: (error: Error) => void;
}

/**
 * A connected data source. A call waits at most 10 s for a connection (node-postgres waits for ever by default) and is
 * then refused as `unavailable`.
 */
export async function createDataSource(options: DataSourceOptions): Promise<DataSource> {
  const dataSource = new DataSource({
    type: 'postgres',
    url: options.url,
    applicationName: options.applicationName,
    entities: ENTITIES,
    poolErrorHandler: options.onPoolError ?? (() => undefined),
    extra: { max: options.poolSize, connectionTimeoutMillis: 10_000, keepAlive: true, pipeline: true },
  });
  nameStatements(dataSource, options.preparedStatements ?? true);
  return dataSource.initialize();
}

/**
 * Refuses a role under which row-level security would not hold (DESIGN §5): superuser, BYPASSRLS, or owner of a table.
 *
 * @throws Error naming the role and what is wrong with it
 */
export async function assertUnprivileged(dataSource: DataSource): Promise<void> {
  const [role]: { name: string; super: boolean; bypass: boolean; owns: string | null }[] = await dataSource.query(`
    SELECT current_user AS name, rolsuper AS super, rolbypassrls AS bypass,
      (SELECT min(tablename) FROM pg_tables WHERE schemaname = 'public' AND tableowner = current_user) AS owns
    FROM pg_roles WHERE rolname = current_user`);
  if (role === undefined) throw new Error('The database role of this process cannot be read from pg_roles.');
  const faults = [
    role.super ? 'is a superuser' : '',
    role.bypass ? 'has BYPASSRLS' : '',
    role.owns === null ? '' : `owns the table ${role.owns}`,
  ].filter((fault) => fault !== '');
  if (faults.length === 0) return;
  throw new Error(
    `The database role ${role.name} ${faults.join(' and ')}: row-level security would not hold. Connect as perdure_app.`,
  );
}

/**
 * Refuses a schema that is not the one this code was written for.
 *
 * @throws Error saying which versions were found and expected, and what to do
 */
export async function assertSchema(dataSource: DataSource): Promise<void> {
  const [row]: { version: number }[] = await dataSource.query('SELECT count(*)::int AS version FROM schema_migration');
  const version = row?.version ?? 0;
  if (version === SCHEMA_VERSION) return;
  const remedy = version < SCHEMA_VERSION ? 'run the migrations' : 'start a newer release';
  throw new Error(`The database has schema version ${version}, this release needs ${SCHEMA_VERSION}: ${remedy}.`);
}
