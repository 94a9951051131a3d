import type { MigrationInterface, QueryRunner } from 'typeorm';
import { protectTenantTable } from './tenant-table.js';

export class ProjectsAndSessions1764500000003 implements MigrationInterface {
  readonly name = 'ProjectsAndSessions1764500000003';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
    await runner.query(PROTECTION);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only; restore a backup to go back.');
  }
}

const TABLES = `
  CREATE TABLE project (
    workspace_id ulid NOT NULL REFERENCES workspace,
    id ulid NOT NULL,
    slug text NOT NULL,
    name text NOT NULL,
    repository_urls text[] NOT NULL DEFAULT '{}',
    attributes jsonb NOT NULL DEFAULT '{}',
    status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'archived')),
    created_at timestamptz(3) NOT NULL,
    PRIMARY KEY (workspace_id, id),
    UNIQUE (workspace_id, slug)
  );

  CREATE TABLE build_session (
    workspace_id ulid NOT NULL,
    id ulid NOT NULL,
    project_id ulid NOT NULL,
    actor_id ulid NOT NULL,
    computer text NOT NULL,
    branch text NOT NULL,
    worktree text,
    intent text,
    notes text,
    client_name text,
    client_version text,
    status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'ended')),
    started_at timestamptz(3) NOT NULL,
    last_pinged_at timestamptz(3) NOT NULL,
    last_active_at timestamptz(3) NOT NULL,
    ended_at timestamptz(3),
    current_state_markdown text NOT NULL DEFAULT '',
    state_version int NOT NULL DEFAULT 1,
    session_history_entry_markdown text,
    continues_id ulid,
    erased_by_event_id ulid,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, project_id) REFERENCES project,
    FOREIGN KEY (workspace_id, actor_id) REFERENCES actor,
    FOREIGN KEY (workspace_id, continues_id) REFERENCES build_session,
    CHECK (continues_id <> id),
    CHECK ((status = 'ended') = (ended_at IS NOT NULL))
  );
  -- S2: one active session for each key.
  CREATE UNIQUE INDEX build_session_one_active ON build_session (workspace_id, project_id, computer, branch, actor_id)
    WHERE status = 'active';
  CREATE INDEX build_session_newest ON build_session (workspace_id, started_at DESC, id DESC);
  CREATE INDEX build_session_of_project ON build_session (workspace_id, project_id, started_at DESC, id DESC);
  -- D2: the open sessions of an actor, last active first; S5: the active sessions of a project.
  CREATE INDEX build_session_open_of_actor ON build_session (workspace_id, actor_id, last_active_at DESC)
    WHERE status = 'active';
  CREATE INDEX build_session_active_of_project ON build_session (workspace_id, project_id, last_pinged_at DESC)
    WHERE status = 'active';
  CREATE INDEX build_session_successors ON build_session (workspace_id, continues_id) WHERE continues_id IS NOT NULL;

  CREATE TABLE build_session_pr (
    workspace_id ulid NOT NULL,
    build_session_id ulid NOT NULL,
    forge text NOT NULL CHECK (forge IN ('github', 'gitlab', 'bitbucket', 'azure_devops', 'gitea')),
    host text NOT NULL,
    repository text NOT NULL,
    number bigint NOT NULL CHECK (number > 0),
    url text NOT NULL,
    title text,
    linked_issue jsonb,
    recorded_at timestamptz(3) NOT NULL,
    audit_event_id ulid NOT NULL,
    PRIMARY KEY (workspace_id, build_session_id, forge, host, repository, number),
    FOREIGN KEY (workspace_id, build_session_id) REFERENCES build_session,
    FOREIGN KEY (workspace_id, audit_event_id) REFERENCES audit_event DEFERRABLE INITIALLY DEFERRED
  );

  CREATE TABLE build_session_commit (
    workspace_id ulid NOT NULL,
    build_session_id ulid NOT NULL,
    sha text NOT NULL CHECK (sha ~ '^[0-9a-f]{7,64}$'),
    paths text[] NOT NULL DEFAULT '{}',
    recorded_at timestamptz(3) NOT NULL,
    audit_event_id ulid NOT NULL,
    PRIMARY KEY (workspace_id, build_session_id, sha),
    FOREIGN KEY (workspace_id, build_session_id) REFERENCES build_session,
    FOREIGN KEY (workspace_id, audit_event_id) REFERENCES audit_event DEFERRABLE INITIALLY DEFERRED
  );
  CREATE INDEX build_session_commit_paths ON build_session_commit USING gin (paths);
`;

const PROTECTION = [
  protectTenantTable({ name: 'project', app: ['SELECT', 'INSERT', 'UPDATE'] }),
  protectTenantTable({
    name: 'build_session',
    app: ['SELECT', 'INSERT', 'UPDATE'],
    others: [{ role: 'perdure_ingest', may: ['SELECT'], everyWorkspace: false }],
  }),
  protectTenantTable({ name: 'build_session_pr', app: ['SELECT', 'INSERT', 'UPDATE'] }),
  protectTenantTable({ name: 'build_session_commit', app: ['SELECT', 'INSERT', 'UPDATE'] }),
].join('\n');
