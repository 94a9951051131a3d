import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What makes a brief quick over a long log and quiet over an unchanged project (S16). */
export class BriefReads1764500000016 implements MigrationInterface {
  readonly name = 'BriefReads1764500000016';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(NEWEST_OF_EACH_KIND);
    await runner.query(PINGS_ARE_NO_CHANGE);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only; restore a backup to go back.');
  }
}

/** Without the kind in the index, entries of a rare kind are searched for among all. */
const NEWEST_OF_EACH_KIND = `
  CREATE INDEX decision_of_kind ON decision (workspace_id, project_id, kind, appended_at DESC, id DESC)`;

/** A ping, or a start that finds its session, says nothing new about the work: it must not bring the lead again. */
const PINGS_ARE_NO_CHANGE = `
  DROP TRIGGER zz_build_session_changed ON build_session;
  CREATE TRIGGER zz_build_session_changed BEFORE UPDATE OF project_id, computer, branch, actor_id, worktree, intent,
    notes, client_name, client_version, status, ended_at, current_state_markdown, session_history_entry_markdown,
    continues_id, erased_by_event_id
  ON build_session FOR EACH ROW EXECUTE FUNCTION perdure_stamp_change()`;
