import type { MigrationInterface, QueryRunner } from 'typeorm';
import { protectTenantTable } from './tenant-table.js';

/** Events with their erasable payloads, the pending set, the chain, and the transitions of mutable subjects (DESIGN §6). */
export class Audit1764500000002 implements MigrationInterface {
  readonly name = 'Audit1764500000002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
    await runner.query(PROTECTION);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only; restore a backup to go back.');
  }
}

const TABLES = `
  CREATE TABLE audit_event (
    workspace_id ulid NOT NULL REFERENCES workspace,
    event_id ulid NOT NULL,
    v int NOT NULL DEFAULT 1,
    type text NOT NULL,
    at text NOT NULL,
    actor_ref text NOT NULL,
    subject_type text NOT NULL,
    subject_id text NOT NULL,
    payload_digest bytea NOT NULL CHECK (length(payload_digest) = 32),
    event_digest bytea NOT NULL CHECK (length(event_digest) = 32),
    PRIMARY KEY (workspace_id, event_id)
  );
  CREATE INDEX audit_event_subject ON audit_event (workspace_id, subject_type, subject_id);

  -- The personal part: text and salt can be blanked, the digest in the event stays and confirms no guess.
  CREATE TABLE audit_payload (
    workspace_id ulid NOT NULL,
    event_id ulid NOT NULL,
    salt bytea CHECK (length(salt) = 16),
    payload text,
    PRIMARY KEY (workspace_id, event_id),
    FOREIGN KEY (workspace_id, event_id) REFERENCES audit_event,
    CHECK ((salt IS NULL) = (payload IS NULL))
  );

  -- The only mutable set, and without content. CACHE 1: numbers follow real time, so a commit that was acknowledged
  -- before another began has the smaller one.
  CREATE TABLE audit_pending (
    workspace_id ulid NOT NULL,
    id bigint GENERATED ALWAYS AS IDENTITY (CACHE 1),
    event_id ulid NOT NULL,
    enqueued_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (workspace_id, id),
    UNIQUE (workspace_id, event_id)
  ) WITH (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000);
  CREATE INDEX audit_pending_age ON audit_pending (enqueued_at);

  CREATE TABLE audit_head (
    workspace_id ulid PRIMARY KEY REFERENCES workspace,
    size bigint NOT NULL CHECK (size >= 0),
    head_hash bytea NOT NULL CHECK (length(head_hash) = 32),
    linked_at text NOT NULL,
    updated_at timestamptz(3) NOT NULL DEFAULT clock_timestamp()
  );

  CREATE TABLE audit_entry (
    workspace_id ulid NOT NULL,
    seq bigint NOT NULL CHECK (seq >= 0),
    event_id ulid NOT NULL,
    event_digest bytea NOT NULL CHECK (length(event_digest) = 32),
    prev_hash bytea NOT NULL CHECK (length(prev_hash) = 32),
    entry_hash bytea NOT NULL CHECK (length(entry_hash) = 32),
    linked_at text NOT NULL,
    PRIMARY KEY (workspace_id, seq),
    UNIQUE (workspace_id, event_id)
  );

  CREATE TABLE audit_quarantine (
    workspace_id ulid NOT NULL,
    event_id ulid NOT NULL,
    reason text NOT NULL,
    found_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (workspace_id, event_id)
  );

  -- One row for each audited event about a mutable subject: what an anti-join against the events shows when either is gone.
  CREATE TABLE transition (
    workspace_id ulid NOT NULL,
    audit_event_id ulid NOT NULL,
    subject_type text NOT NULL,
    subject_id text NOT NULL,
    type text NOT NULL,
    actor_id ulid NOT NULL,
    at timestamptz(3) NOT NULL,
    PRIMARY KEY (workspace_id, audit_event_id),
    FOREIGN KEY (workspace_id, audit_event_id) REFERENCES audit_event
  );
  CREATE INDEX transition_subject ON transition (workspace_id, subject_type, subject_id, at);
`;

const writer = (...may: ('SELECT' | 'INSERT' | 'UPDATE' | 'DELETE')[]) => [
  { role: 'perdure_writer', may, everyWorkspace: true },
];

const PROTECTION = [
  protectTenantTable({ name: 'audit_event', app: ['SELECT', 'INSERT'], others: writer('SELECT'), appendOnly: true }),
  protectTenantTable({ name: 'audit_payload', app: ['SELECT', 'INSERT'], others: writer('SELECT'), appendOnly: true }),
  protectTenantTable({ name: 'audit_pending', app: ['SELECT', 'INSERT'], others: writer('SELECT', 'DELETE') }),
  protectTenantTable({ name: 'audit_head', app: ['SELECT'], others: writer('SELECT', 'INSERT', 'UPDATE') }),
  protectTenantTable({
    name: 'audit_entry',
    app: ['SELECT'],
    others: writer('SELECT', 'INSERT'),
    appendOnly: true,
  }),
  protectTenantTable({
    name: 'audit_quarantine',
    app: ['SELECT'],
    others: writer('SELECT', 'INSERT'),
    appendOnly: true,
  }),
  protectTenantTable({ name: 'transition', app: ['SELECT', 'INSERT'], appendOnly: true }),
].join('\n');
