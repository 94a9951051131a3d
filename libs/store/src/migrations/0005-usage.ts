import type { MigrationInterface, QueryRunner } from 'typeorm';
import { protectTenantTable } from './tenant-table.js';

/** The durable inbox of usage batches and the newest report of each transcript (U2, U3). */
export class Usage1764500000005 implements MigrationInterface {
  readonly name = 'Usage1764500000005';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
    await runner.query(PROTECTION);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only; restore a backup to go back.');
  }
}

const TABLES = `
  CREATE TABLE usage_batch (
    workspace_id ulid NOT NULL REFERENCES workspace,
    id ulid NOT NULL,
    batch_key text NOT NULL,
    actor_id ulid NOT NULL,
    status text NOT NULL DEFAULT 'received' CHECK (status IN ('received', 'applied')),
    received_count int NOT NULL,
    counts jsonb,
    received_at timestamptz(3) NOT NULL,
    applied_at timestamptz(3),
    PRIMARY KEY (workspace_id, id),
    UNIQUE (workspace_id, batch_key)
  );
  CREATE INDEX usage_batch_waiting ON usage_batch (received_at, id) WHERE status = 'received';

  CREATE TABLE usage_batch_item (
    workspace_id ulid NOT NULL,
    batch_id ulid NOT NULL,
    line int NOT NULL,
    report jsonb NOT NULL,
    status text CHECK (status IN ('accepted', 'overwritten', 'unchanged', 'stale_ignored', 'rejected')),
    code text,
    message text,
    PRIMARY KEY (workspace_id, batch_id, line),
    FOREIGN KEY (workspace_id, batch_id) REFERENCES usage_batch
  );

  CREATE TABLE usage_report (
    workspace_id ulid NOT NULL REFERENCES workspace,
    transcript_id text NOT NULL,
    build_session_id ulid,
    actor_id ulid NOT NULL,
    client text NOT NULL,
    version_generation bigint,
    version_complete_bytes bigint,
    version_records bigint,
    report jsonb NOT NULL,
    reported_at timestamptz(3) NOT NULL,
    PRIMARY KEY (workspace_id, transcript_id),
    FOREIGN KEY (workspace_id, build_session_id) REFERENCES build_session
  );
  CREATE INDEX usage_report_of_session ON usage_report (workspace_id, build_session_id);
`;

/** True-policies on the inbox alone: for everything else the worker sets the tenant of the batch it applies. */
const ingest = (everyWorkspace: boolean) => [
  { role: 'perdure_ingest', may: ['SELECT', 'INSERT', 'UPDATE'] as const, everyWorkspace },
];

const PROTECTION = [
  protectTenantTable({ name: 'usage_batch', app: ['SELECT', 'INSERT'], others: ingest(true) }),
  protectTenantTable({ name: 'usage_batch_item', app: ['SELECT', 'INSERT'], others: ingest(true) }),
  protectTenantTable({ name: 'usage_report', app: ['SELECT', 'INSERT', 'UPDATE'], others: ingest(false) }),
].join('\n');
