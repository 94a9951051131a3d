import type { MigrationInterface, QueryRunner } from 'typeorm';
import { protectTenantTable } from './tenant-table.js';

/** Backlog items, so that a decision can name the one it came from. */
export class Backlog1764500000006 implements MigrationInterface {
  readonly name = 'Backlog1764500000006';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
    await runner.query(protectTenantTable({ name: 'backlog_item', app: ['SELECT', 'INSERT', 'UPDATE'] }));
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only; restore a backup to go back.');
  }
}

const TABLES = `
  CREATE TABLE backlog_item (
    workspace_id ulid NOT NULL,
    id ulid NOT NULL,
    project_id ulid NOT NULL,
    build_session_id ulid,
    title text NOT NULL,
    body_markdown text NOT NULL,
    priority text NOT NULL CHECK (priority IN ('urgent', 'high', 'normal', 'low')),
    category text NOT NULL
      CHECK (category IN ('bug', 'feature', 'debt', 'docs', 'test', 'security', 'chore', 'question')),
    status text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'triaged', 'in_progress', 'resolved', 'dismissed')),
    assignee text,
    closing_pr_url text,
    closing_commit_sha text,
    closing_notes text,
    dismissal_reason text,
    filed_at timestamptz(3) NOT NULL,
    closed_at timestamptz(3),
    erased_by_event_id ulid,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, project_id) REFERENCES project,
    FOREIGN KEY (workspace_id, build_session_id) REFERENCES build_session
  );
  CREATE INDEX backlog_item_of_session ON backlog_item (workspace_id, build_session_id, filed_at DESC);
  ALTER TABLE decision ADD FOREIGN KEY (workspace_id, backlog_item_id) REFERENCES backlog_item;
`;
