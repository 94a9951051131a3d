import type { MigrationInterface, QueryRunner } from 'typeorm';
import { protectTenantTable } from './tenant-table.js';

/** Rules with their revisions, the version that tells every process to compile anew, and what was told to whom (R4–R6). */
export class Rules1764500000010 implements MigrationInterface {
  readonly name = 'Rules1764500000010';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
    await runner.query(PROTECTION);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only; restore a backup to go back.');
  }
}

const TABLES = `
  CREATE TABLE rule (
    workspace_id ulid NOT NULL REFERENCES workspace,
    id ulid NOT NULL,
    project_id ulid,
    title text NOT NULL,
    body_markdown text NOT NULL,
    triggers jsonb NOT NULL,
    always boolean NOT NULL,
    severity text NOT NULL CHECK (severity IN ('info', 'warn', 'must')),
    status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'archived')),
    revision int NOT NULL DEFAULT 1 CHECK (revision > 0),
    -- The file, and for files of many rules the section, that an imported rule came from.
    source_key text,
    created_at timestamptz(3) NOT NULL,
    revised_at timestamptz(3) NOT NULL,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, project_id) REFERENCES project
  );
  CREATE INDEX rule_newest ON rule (workspace_id, created_at DESC, id DESC);
  CREATE UNIQUE INDEX rule_one_of_source ON rule (workspace_id, coalesce(project_id, ''), md5(source_key))
    WHERE source_key IS NOT NULL AND status = 'active';

  CREATE TABLE rule_revision (
    workspace_id ulid NOT NULL,
    rule_id ulid NOT NULL,
    revision int NOT NULL,
    title text NOT NULL,
    body_markdown text NOT NULL,
    triggers jsonb NOT NULL,
    always boolean NOT NULL,
    severity text NOT NULL,
    actor_id ulid NOT NULL,
    revised_at timestamptz(3) NOT NULL,
    audit_event_id ulid NOT NULL,
    PRIMARY KEY (workspace_id, rule_id, revision),
    FOREIGN KEY (workspace_id, rule_id) REFERENCES rule,
    FOREIGN KEY (workspace_id, actor_id) REFERENCES actor,
    FOREIGN KEY (workspace_id, audit_event_id) REFERENCES audit_event DEFERRABLE INITIALLY DEFERRED
  );

  -- R5: read by every query, moved with every change in the same transaction.
  CREATE TABLE rule_set (
    workspace_id ulid PRIMARY KEY REFERENCES workspace,
    version bigint NOT NULL
  );

  CREATE TABLE rule_delivery (
    workspace_id ulid NOT NULL,
    build_session_id ulid NOT NULL,
    rule_id ulid NOT NULL,
    revision int NOT NULL,
    delivered_at timestamptz(3) NOT NULL,
    PRIMARY KEY (workspace_id, build_session_id, rule_id),
    FOREIGN KEY (workspace_id, build_session_id) REFERENCES build_session,
    FOREIGN KEY (workspace_id, rule_id) REFERENCES rule
  );
`;

const PROTECTION = [
  protectTenantTable({ name: 'rule', app: ['SELECT', 'INSERT', 'UPDATE'] }),
  protectTenantTable({ name: 'rule_revision', app: ['SELECT', 'INSERT'], appendOnly: true }),
  protectTenantTable({ name: 'rule_set', app: ['SELECT', 'INSERT', 'UPDATE'] }),
  protectTenantTable({ name: 'rule_delivery', app: ['SELECT', 'INSERT', 'UPDATE', 'DELETE'] }),
].join('\n');
