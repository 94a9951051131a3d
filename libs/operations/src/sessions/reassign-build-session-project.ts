import { catalogue, DomainError } from '@perdure/contracts';
import { type Transaction, violatesUnique, withSavepoint } from '@perdure/store';
import { implement } from '../dispatcher/implement.js';
import { requireProject } from '../projects/find-project.js';
import { requireBuildSession } from './find-build-session.js';

export const reassignBuildSessionProjectHandler = implement(
  catalogue.sessions.reassignBuildSessionProject,
  async ({ tx, input, audit }) => {
    const before = await requireBuildSession(tx, input.build_session_id);
    const project = await requireProject(tx, input.project);
    if (before.project_id === project.id) return { build_session: before };
    const moved = await move(tx, before.id, project.id);
    if (moved) {
      audit({
        type: 'build_session.project_reassigned',
        subjectId: before.id,
        payload: { from_project_id: before.project_id, to_project_id: project.id },
      });
    }
    return { build_session: await requireBuildSession(tx, before.id) };
  },
);

/** S15: the index of S2 decides whether the key is free there, also against a start at the same moment. */
async function move(tx: Transaction, id: string, projectId: string): Promise<boolean> {
  try {
    const moved = await withSavepoint(tx, () =>
      tx.run(`UPDATE build_session SET project_id = $3 WHERE workspace_id = $1 AND id = $2 AND project_id <> $3`, [
        tx.workspaceId,
        id,
        projectId,
      ]),
    );
    return moved > 0;
  } catch (error) {
    if (!violatesUnique(error, 'build_session_one_active')) throw error;
    throw new DomainError('session_conflict', 'An active build session with the same key stands in that project.', {
      build_session_id: await sessionInTheWay(tx, id, projectId),
    });
  }
}

async function sessionInTheWay(tx: Transaction, id: string, projectId: string): Promise<string | null> {
  const row = await tx.first<{ id: string }>(
    `SELECT other.id FROM build_session s
     JOIN build_session other ON other.workspace_id = s.workspace_id AND other.project_id = $3 AND other.status = 'active'
       AND (other.computer, other.branch, other.actor_id) = (s.computer, s.branch, s.actor_id)
     WHERE s.workspace_id = $1 AND s.id = $2`,
    [tx.workspaceId, id, projectId],
  );
  return row?.id ?? null; // it may have ended since
}
