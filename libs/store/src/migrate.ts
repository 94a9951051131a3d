import { DataSource } from 'typeorm';
import { Foundations1764500000001 } from './migrations/0001-foundations.js';
import { Audit1764500000002 } from './migrations/0002-audit.js';
import { ProjectsAndSessions1764500000003 } from './migrations/0003-projects-and-sessions.js';
import { Decisions1764500000004 } from './migrations/0004-decisions.js';
import { Usage1764500000005 } from './migrations/0005-usage.js';
import { Backlog1764500000006 } from './migrations/0006-backlog.js';
import { BacklogWork1764500000007 } from './migrations/0007-backlog-work.js';
import { Loops1764500000008 } from './migrations/0008-loops.js';
import { Changes1764500000009 } from './migrations/0009-changes.js';
import { Rules1764500000010 } from './migrations/0010-rules.js';
import { Search1764500000011 } from './migrations/0011-search.js';
import { Access1764500000012 } from './migrations/0012-access.js';
import { Authorization1764500000013 } from './migrations/0013-authorization.js';
import { BacklogAuthors1764500000015 } from './migrations/0015-backlog-authors.js';
import { BriefReads1764500000016 } from './migrations/0016-brief-reads.js';
import { DecisionKinds1764500000019 } from './migrations/0019-decision-kinds.js';
import { UsageRollups1764500000020 } from './migrations/0020-usage-rollups.js';
import { RateLimits1764500000021 } from './migrations/0021-rate-limits.js';

/** In order; a released migration is never edited. */
const MIGRATIONS = [
  Foundations1764500000001,
  Audit1764500000002,
  ProjectsAndSessions1764500000003,
  Decisions1764500000004,
  Usage1764500000005,
  Backlog1764500000006,
  BacklogWork1764500000007,
  Loops1764500000008,
  Changes1764500000009,
  Rules1764500000010,
  Search1764500000011,
  Access1764500000012,
  Authorization1764500000013,
  BacklogAuthors1764500000015,
  BriefReads1764500000016,
  DecisionKinds1764500000019,
  UsageRollups1764500000020,
  RateLimits1764500000021,
];

/** Any constant will do; it must only be the same in every process that migrates. */
const MIGRATION_LOCK = 7_305_841_209;

/**
 * Brings the schema up to date as `perdure_owner`; several may start at once, one works and the others wait.
 * All migrations run in one transaction: either the schema is the new one or the old.
 *
 * @param ownerUrl a direct connection (not through a transaction pooler) as `perdure_owner`
 * @returns the names of the migrations that ran now
 */
export async function migrate(ownerUrl: string): Promise<string[]> {
  const dataSource = new DataSource({
    type: 'postgres',
    url: ownerUrl,
    applicationName: 'perdure-migrate',
    migrations: MIGRATIONS,
    migrationsTableName: 'schema_migration',
    extra: { max: 2 },
  });
  await dataSource.initialize();
  const lockHolder = dataSource.createQueryRunner();
  try {
    // A session lock on a connection of its own: the migrations' transaction begins after it is held.
    await lockHolder.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const applied = await dataSource.runMigrations({ transaction: 'all' });
    await lockHolder.query('GRANT SELECT ON schema_migration TO perdure_app, perdure_writer, perdure_ingest');
    return applied.map((migration) => migration.name);
  } finally {
    await lockHolder.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]).catch(() => undefined);
    await lockHolder.release();
    await dataSource.destroy();
  }
}

/** How many migrations this code knows: readiness compares it with what the database has. */
export const SCHEMA_VERSION = MIGRATIONS.length;
