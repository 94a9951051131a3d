import type { MigrationInterface, QueryRunner } from 'typeorm';
import { protectTenantTable } from './tenant-table.js';

/** What happens to backlog items: order of work, comments, dependencies (B3, B4). */
export class BacklogWork1764500000007 implements MigrationInterface {
  readonly name = 'BacklogWork1764500000007';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
    await runner.query(PROTECTION);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only; restore a backup to go back.');
  }
}

const TABLES = `
  ALTER TABLE backlog_item ADD COLUMN priority_rank int NOT NULL GENERATED ALWAYS AS (
    CASE priority WHEN 'urgent' THEN 0 WHEN 'high' THEN 1 WHEN 'normal' THEN 2 ELSE 3 END) STORED;
  CREATE INDEX backlog_item_newest ON backlog_item (workspace_id, filed_at DESC, id DESC);
  CREATE INDEX backlog_item_of_project ON backlog_item (workspace_id, project_id, filed_at DESC, id DESC);
  -- B4: what can be started, in the order in which it is given out.
  CREATE INDEX backlog_item_waiting ON backlog_item (workspace_id, priority_rank, filed_at, id)
    WHERE status IN ('open', 'triaged');

  CREATE TABLE backlog_comment (
    workspace_id ulid NOT NULL,
    id ulid NOT NULL,
    backlog_item_id ulid NOT NULL,
    actor_id ulid NOT NULL,
    body_markdown text NOT NULL,
    created_at timestamptz(3) NOT NULL,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, backlog_item_id) REFERENCES backlog_item,
    FOREIGN KEY (workspace_id, actor_id) REFERENCES actor
  );
  CREATE INDEX backlog_comment_of_item ON backlog_comment (workspace_id, backlog_item_id, created_at);

  CREATE TABLE backlog_blocker (
    workspace_id ulid NOT NULL,
    backlog_item_id ulid NOT NULL,
    blocked_by_id ulid NOT NULL,
    PRIMARY KEY (workspace_id, backlog_item_id, blocked_by_id),
    FOREIGN KEY (workspace_id, backlog_item_id) REFERENCES backlog_item,
    FOREIGN KEY (workspace_id, blocked_by_id) REFERENCES backlog_item,
    CHECK (backlog_item_id <> blocked_by_id)
  );
  CREATE INDEX backlog_blocker_blocking ON backlog_blocker (workspace_id, blocked_by_id);
`;

const PROTECTION = [
  protectTenantTable({ name: 'backlog_comment', app: ['SELECT', 'INSERT'] }),
  protectTenantTable({ name: 'backlog_blocker', app: ['SELECT', 'INSERT', 'DELETE'] }),
].join('\n');
