import type { MigrationInterface, QueryRunner } from 'typeorm';
import { protectTenantTable } from './tenant-table.js';

/** What totals are read from, who owns a response, and how much was reported on a day (U3, U4, U6, I4). */
export class UsageRollups1764500000020 implements MigrationInterface {
  readonly name = 'UsageRollups1764500000020';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
    await runner.query(PROTECTION);
    await runner.query(PERMISSIONS);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only; restore a backup to go back.');
  }
}

const CLASSES = `
    turns bigint NOT NULL CHECK (turns >= 0),
    input_tokens bigint NOT NULL CHECK (input_tokens >= 0),
    output_tokens bigint NOT NULL CHECK (output_tokens >= 0),
    cache_write_5m_tokens bigint NOT NULL CHECK (cache_write_5m_tokens >= 0),
    cache_write_1h_tokens bigint NOT NULL CHECK (cache_write_1h_tokens >= 0),
    cache_read_tokens bigint NOT NULL CHECK (cache_read_tokens >= 0)`;

const TABLES = `
  ALTER TABLE usage_report
    ADD COLUMN project_id ulid,
    ADD COLUMN parent_transcript_id text,
    ADD COLUMN first_at timestamptz(3),
    ADD COLUMN last_at timestamptz(3),
    ADD COLUMN is_estimated boolean NOT NULL DEFAULT false,
    ADD COLUMN has_responses boolean NOT NULL DEFAULT false,
    ADD FOREIGN KEY (workspace_id, project_id) REFERENCES project;

  -- U6: every response that a current report names. Of several transcripts with the same one, the first by
  -- (first_at, transcript_id) owns it; that is derived, never stored, so no order of arrival can bend it.
  CREATE TABLE usage_response (
    workspace_id ulid NOT NULL,
    hash bytea NOT NULL,
    transcript_id text NOT NULL,
    model text NOT NULL,
    first_at timestamptz(3) NOT NULL,
    input_tokens bigint NOT NULL,
    output_tokens bigint NOT NULL,
    cache_write_5m_tokens bigint NOT NULL,
    cache_write_1h_tokens bigint NOT NULL,
    cache_read_tokens bigint NOT NULL,
    PRIMARY KEY (workspace_id, hash, transcript_id)
  );
  CREATE INDEX usage_response_of_transcript ON usage_response (workspace_id, transcript_id);

  -- U4: what each transcript counts for, by model and by quarter of an hour in UTC: every IANA zone of today is a
  -- multiple of that from UTC, so that a day of any zone is a sum of whole rows. Replaced as a whole with its report;
  -- nothing is ever added to it.
  CREATE TABLE usage_slot (
    workspace_id ulid NOT NULL,
    transcript_id text NOT NULL,
    model text NOT NULL,
    slot_at timestamptz(3) NOT NULL,
    build_session_id ulid,
    project_id ulid,
    actor_id ulid NOT NULL,
    client text NOT NULL,
    is_child boolean NOT NULL,
    is_estimated boolean NOT NULL,
    ${CLASSES},
    PRIMARY KEY (workspace_id, transcript_id, model, slot_at)
  );
  CREATE INDEX usage_slot_at ON usage_slot (workspace_id, slot_at);

  CREATE TABLE usage_day (
    workspace_id ulid NOT NULL REFERENCES workspace,
    day date NOT NULL,
    reports bigint NOT NULL,
    PRIMARY KEY (workspace_id, day)
  );

  -- Raw lines are kept for a while; the batch itself stays, so that its key is known for ever.
  CREATE INDEX usage_batch_applied ON usage_batch (applied_at) WHERE status = 'applied';
  ALTER TABLE usage_batch ADD COLUMN items_deleted_at timestamptz(3);
`;

/** The worker sets the tenant of the batch it applies, as the application does. */
const ingest = (...may: ('SELECT' | 'INSERT' | 'UPDATE' | 'DELETE')[]) => [
  { role: 'perdure_ingest', may, everyWorkspace: false },
];

const PROTECTION = [
  protectTenantTable({
    name: 'usage_response',
    app: ['SELECT', 'INSERT', 'DELETE'],
    others: ingest('SELECT', 'INSERT', 'DELETE'),
  }),
  protectTenantTable({
    name: 'usage_slot',
    app: ['SELECT', 'INSERT', 'DELETE'],
    others: ingest('SELECT', 'INSERT', 'DELETE'),
  }),
  protectTenantTable({ name: 'usage_day', app: ['SELECT', 'INSERT', 'UPDATE'] }),
].join('\n');

const PERMISSIONS = `
  GRANT UPDATE (received_count) ON usage_batch TO perdure_app;
  GRANT DELETE ON usage_batch_item TO perdure_ingest;
  GRANT SELECT ON project TO perdure_ingest;
`;
