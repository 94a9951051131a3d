import type { MigrationInterface, QueryRunner } from 'typeorm';
import { SEARCHED_TEXT } from '../repositories/text-search.js';
import { protectTenantTable } from './tenant-table.js';

export class Decisions1764500000004 implements MigrationInterface {
  readonly name = 'Decisions1764500000004';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
    await runner.query(GUARDS);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only; restore a backup to go back.');
  }
}

const TABLES = `
  CREATE TABLE decision (
    workspace_id ulid NOT NULL,
    id ulid NOT NULL,
    project_id ulid NOT NULL,
    build_session_id ulid,
    backlog_item_id ulid,
    actor_id ulid NOT NULL,
    title text NOT NULL,
    rationale_markdown text NOT NULL,
    decided_on date NOT NULL,
    changes_public_contract boolean NOT NULL,
    kind text NOT NULL DEFAULT 'decision' CHECK (kind IN ('decision', 'constraint', 'dead_end', 'preference')),
    tags text[] NOT NULL DEFAULT '{}',
    paths text[] NOT NULL DEFAULT '{}',
    supersedes_decision_id ulid,
    appended_at timestamptz(3) NOT NULL,
    audit_event_id ulid NOT NULL,
    erased_by_event_id ulid,
    -- Kept, for searches go by rank, which reads the words of every row that matches.
    words tsvector GENERATED ALWAYS AS (to_tsvector('simple', ${SEARCHED_TEXT.decision})) STORED,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, project_id) REFERENCES project,
    FOREIGN KEY (workspace_id, build_session_id) REFERENCES build_session,
    FOREIGN KEY (workspace_id, actor_id) REFERENCES actor,
    FOREIGN KEY (workspace_id, supersedes_decision_id) REFERENCES decision,
    FOREIGN KEY (workspace_id, audit_event_id) REFERENCES audit_event DEFERRABLE INITIALLY DEFERRED,
    CHECK (supersedes_decision_id <> id)
  );
  -- D4: an entry is corrected once; a second correction meets this index.
  CREATE UNIQUE INDEX decision_one_correction ON decision (workspace_id, supersedes_decision_id)
    WHERE supersedes_decision_id IS NOT NULL;
  CREATE INDEX decision_newest ON decision (workspace_id, appended_at DESC, id DESC);
  CREATE INDEX decision_of_project ON decision (workspace_id, project_id, appended_at DESC, id DESC);
  CREATE INDEX decision_of_session ON decision (workspace_id, build_session_id, appended_at DESC, id DESC);
  CREATE INDEX decision_tags ON decision USING gin (tags);
  CREATE INDEX decision_paths ON decision USING gin (paths);
`;

/** D3: everything but the two source links is fixed once written, also for the owner; only the purge role passes. */
const GUARDS = `
  CREATE FUNCTION perdure_refuse_decision_change() RETURNS trigger LANGUAGE plpgsql
  SET search_path = pg_catalog, pg_temp AS $$
  DECLARE
    links constant text[] := ARRAY['build_session_id', 'backlog_item_id'];
    -- Generated from what is fixed; it has no value yet when this runs.
    derived constant text := 'words';
  BEGIN
    IF current_user = 'perdure_purge' THEN
      RETURN coalesce(NEW, OLD);
    END IF;
    IF TG_OP = 'UPDATE' AND (to_jsonb(NEW) - links - derived) = (to_jsonb(OLD) - links - derived) THEN
      RETURN NEW;
    END IF;
    RAISE EXCEPTION 'decision is append-only: % is refused', TG_OP USING ERRCODE = 'insufficient_privilege',
      HINT = 'Correct a decision with a new entry that supersedes it.';
  END $$;
  CREATE TRIGGER decision_append_only BEFORE UPDATE OR DELETE ON decision
    FOR EACH ROW EXECUTE FUNCTION perdure_refuse_decision_change();
  CREATE TRIGGER decision_no_truncate BEFORE TRUNCATE ON decision
    FOR EACH STATEMENT EXECUTE FUNCTION perdure_refuse_decision_change();
  ALTER TABLE decision ENABLE ALWAYS TRIGGER decision_append_only;
  ALTER TABLE decision ENABLE ALWAYS TRIGGER decision_no_truncate;
  ${protectTenantTable({ name: 'decision', app: ['SELECT', 'INSERT', 'UPDATE'] })}
`;
