import type { MigrationInterface, QueryRunner } from 'typeorm';
import { protectTenantTable } from './tenant-table.js';

/** Loop state in its two halves: runs by session, and the work that outlives them (L1). */
export class Loops1764500000008 implements MigrationInterface {
  readonly name = 'Loops1764500000008';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
    await runner.query(PROTECTION);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only; restore a backup to go back.');
  }
}

const TABLES = `
  CREATE TABLE loop (
    workspace_id ulid NOT NULL,
    id ulid NOT NULL,
    project_id ulid NOT NULL,
    branch text NOT NULL,
    name text NOT NULL,
    cap int CHECK (cap > 0),
    no_progress_limit int CHECK (no_progress_limit > 0),
    failing_signature text,
    diff_hash text,
    unchanged int NOT NULL DEFAULT 0 CHECK (unchanged >= 0),
    measured_at timestamptz(3),
    PRIMARY KEY (workspace_id, id),
    UNIQUE (workspace_id, project_id, branch, name),
    FOREIGN KEY (workspace_id, project_id) REFERENCES project
  );

  CREATE TABLE loop_run (
    workspace_id ulid NOT NULL,
    loop_id ulid NOT NULL,
    session_id text NOT NULL CHECK (session_id <> ''),
    bash_calls int NOT NULL DEFAULT 0 CHECK (bash_calls >= 0),
    started_at timestamptz(3) NOT NULL,
    last_called_at timestamptz(3) NOT NULL,
    PRIMARY KEY (workspace_id, loop_id, session_id),
    FOREIGN KEY (workspace_id, loop_id) REFERENCES loop
  );

  CREATE TABLE loop_measurement (
    workspace_id ulid NOT NULL,
    loop_id ulid NOT NULL,
    id ulid NOT NULL,
    failing_signature text,
    diff_hash text NOT NULL,
    unchanged int NOT NULL,
    measured_at timestamptz(3) NOT NULL,
    PRIMARY KEY (workspace_id, loop_id, id),
    FOREIGN KEY (workspace_id, loop_id) REFERENCES loop
  );
`;

const PROTECTION = [
  protectTenantTable({ name: 'loop', app: ['SELECT', 'INSERT', 'UPDATE'] }),
  protectTenantTable({ name: 'loop_run', app: ['SELECT', 'INSERT', 'UPDATE'] }),
  protectTenantTable({ name: 'loop_measurement', app: ['SELECT', 'INSERT', 'DELETE'] }),
].join('\n');
