import { type BuildSessionObject, catalogue, DomainError, type InputOf } from '@perdure/contracts';
import { ACTOR_JSON, type Transaction } from '@perdure/store';
import { type HandlerContext, implement } from '../dispatcher/implement.js';
import { requireProject } from '../projects/find-project.js';
import { forgetDelivered } from '../rules/deliveries.js';
import { requireBuildSession } from './find-build-session.js';

type Context = HandlerContext<InputOf<typeof catalogue.sessions.startBuildSession>>;

/** Others of the project that are shown; more would bury the answer. */
const OTHERS_SHOWN = 50;

export const startBuildSessionHandler = implement(catalogue.sessions.startBuildSession, async (context) => {
  const { tx, input, audit } = context;
  const project = await requireProject(tx, input.project);
  const { id, resumed } = await resumeOrCreate(context, project.id);
  if (!resumed) {
    const { computer, branch } = input;
    audit({ type: 'build_session.started', subjectId: id, payload: { project_id: project.id, computer, branch } });
  }
  if (input.source === 'clear' || input.source === 'compact') await forgetDelivered(tx, id);
  return {
    build_session: await requireBuildSession(tx, id),
    resumed,
    other_active_sessions: await otherActiveSessions(tx, project.id, id),
  };
});

/**
 * S1, S2: the partial unique index decides, not a look beforehand. An insert that meets an active session of the key
 * waits for its transaction and then resumes it; if that session ended in between, the next round creates one.
 */
async function resumeOrCreate(context: Context, projectId: string): Promise<{ id: string; resumed: boolean }> {
  for (;;) {
    const created = await insertSession(context, projectId);
    if (created !== null) return { id: created, resumed: false };
    const active = await touchActiveSession(context, projectId);
    if (active !== null) return { id: active, resumed: true };
  }
}

async function insertSession(
  { tx, caller, input, now, newId, quota }: Context,
  projectId: string,
): Promise<string | null> {
  const id = newId();
  const created = await tx.run(
    `INSERT INTO build_session (workspace_id, id, project_id, actor_id, computer, branch, worktree, intent, notes,
       client_name, client_version, started_at, last_pinged_at, last_active_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12, $12)
     ON CONFLICT (workspace_id, project_id, computer, branch, actor_id) WHERE status = 'active' DO NOTHING`,
    [
      tx.workspaceId,
      id,
      projectId,
      caller.actor.id,
      input.computer,
      input.branch,
      input.worktree ?? null,
      input.intent ?? null,
      input.notes ?? null,
      input.client_name ?? null,
      input.client_version ?? null,
      now,
    ],
  );
  if (created === 0) return null;
  const { buildSessions } = await quota;
  if (buildSessions !== null) await requireRoom(tx, buildSessions);
  return id;
}

/**
 * Counts only where a quota was set, with the new session among them; one start at a time, so that none slips past.
 *
 * @throws DomainError `quota_exceeded`
 */
async function requireRoom(tx: Transaction, limit: number): Promise<void> {
  await tx.run(`SELECT pg_advisory_xact_lock(hashtextextended($1 || '/build_session_quota', 0))`, [tx.workspaceId]);
  const row = await tx.first<{ sessions: number }>(
    'SELECT count(*)::int AS sessions FROM (SELECT FROM build_session WHERE workspace_id = $1 LIMIT $2) AS counted',
    [tx.workspaceId, limit + 1],
  );
  if ((row?.sessions ?? 0) <= limit) return;
  throw new DomainError('quota_exceeded', `The workspace holds ${limit} build sessions, as many as its quota allows.`, {
    quota: 'build_sessions',
    limit,
  });
}

/** S1: the session comes back as it is; only the order of the actor's open sessions (D2) remembers this start. */
async function touchActiveSession({ tx, caller, input, now }: Context, projectId: string): Promise<string | null> {
  const row = await tx.first<{ id: string }>(
    `UPDATE build_session SET last_active_at = greatest(last_active_at, $6)
     WHERE workspace_id = $1 AND project_id = $2 AND computer = $3 AND branch = $4 AND actor_id = $5 AND status = 'active'
     RETURNING id`,
    [tx.workspaceId, projectId, input.computer, input.branch, caller.actor.id, now],
  );
  return row?.id ?? null;
}

type OtherSession = Pick<
  BuildSessionObject,
  'id' | 'actor' | 'computer' | 'branch' | 'worktree' | 'intent' | 'started_at' | 'last_pinged_at'
>;

/** S5: who else is at work on the project, last pinged first. */
function otherActiveSessions(tx: Transaction, projectId: string, ownId: string): Promise<OtherSession[]> {
  return tx.rows<OtherSession>(
    `SELECT s.id, ${ACTOR_JSON} AS actor, s.computer, s.branch, s.worktree, s.intent,
       perdure_instant(s.started_at) AS started_at, perdure_instant(s.last_pinged_at) AS last_pinged_at
     FROM build_session s JOIN actor a ON a.workspace_id = s.workspace_id AND a.id = s.actor_id
     WHERE s.workspace_id = $1 AND s.project_id = $2 AND s.status = 'active' AND s.id <> $3
     ORDER BY s.last_pinged_at DESC, s.id DESC LIMIT ${OTHERS_SHOWN}`,
    [tx.workspaceId, projectId, ownId],
  );
}
