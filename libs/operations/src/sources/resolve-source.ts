import { type Caller, DomainError } from '@perdure/contracts';
import type { Transaction } from '@perdure/store';
import { requireProject } from '../projects/find-project.js';
import { noSuchSession } from '../sessions/find-build-session.js';

export interface OpenSession {
  readonly id: string;
  readonly project_id: string;
  readonly computer: string;
  readonly branch: string;
}

export interface Source {
  readonly projectId: string;
  readonly buildSessionId: string | null;
  readonly linkedBy: 'explicit' | 'open_session' | 'latest_open_session' | 'none';
  readonly otherOpenSessions: readonly OpenSession[];
}

interface SourceInput {
  readonly project?: string | undefined;
  readonly build_session_id?: string | undefined;
}

/**
 * D2: where an entry belongs. An explicit session or project wins; without either, the actor's open session gives
 * both; of several the one last active is taken. The session's row is locked, so that it cannot end before the commit.
 *
 * @throws DomainError `not_found`, `project_required`, `invalid_input` when session and project do not agree
 */
export async function resolveSource(tx: Transaction, caller: Caller, input: SourceInput): Promise<Source> {
  const projectId = input.project === undefined ? null : (await requireProject(tx, input.project)).id;
  if (input.build_session_id !== undefined) return explicitSession(tx, input.build_session_id, projectId);
  const [session, ...others] = await openSessions(tx, caller.actor.id, projectId);
  if (session !== undefined) {
    return {
      projectId: session.project_id,
      buildSessionId: session.id,
      linkedBy: others.length === 0 ? 'open_session' : 'latest_open_session',
      otherOpenSessions: others,
    };
  }
  if (projectId !== null) return { projectId, buildSessionId: null, linkedBy: 'none', otherOpenSessions: [] };
  throw new DomainError('project_required', 'No project was given and you have no open build session to take it from.');
}

async function explicitSession(tx: Transaction, id: string, projectId: string | null): Promise<Source> {
  const session = await tx.first<OpenSession>(
    `SELECT id, project_id, computer, branch FROM build_session WHERE workspace_id = $1 AND id = $2 FOR SHARE`,
    [tx.workspaceId, id],
  );
  if (session === undefined) throw noSuchSession();
  if (projectId !== null && session.project_id !== projectId) {
    const fields = [{ path: 'build_session_id', message: 'belongs to another project than the one named' }];
    throw new DomainError(
      'invalid_input',
      'Invalid input. The build session belongs to another project than `project`.',
      { fields },
    );
  }
  return { projectId: session.project_id, buildSessionId: id, linkedBy: 'explicit', otherOpenSessions: [] };
}

/**
 * The actor's open sessions, last active (start, ping or write) first. FOR SHARE: many entries may be written at once,
 * but an end waits for them; one that ended while this waited is no longer active and drops out.
 */
function openSessions(tx: Transaction, actorId: string, projectId: string | null): Promise<OpenSession[]> {
  return tx.rows<OpenSession>(
    `SELECT s.id, s.project_id, s.computer, s.branch FROM build_session s
     WHERE s.workspace_id = $1 AND s.actor_id = $2 AND s.status = 'active' AND ($3::text IS NULL OR s.project_id = $3)
     ORDER BY greatest(s.last_active_at, s.last_pinged_at,
       (SELECT max(d.appended_at) FROM decision d WHERE d.workspace_id = s.workspace_id AND d.build_session_id = s.id)
     ) DESC, s.id DESC
     FOR SHARE OF s`,
    [tx.workspaceId, actorId, projectId],
  );
}
