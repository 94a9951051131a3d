import { catalogue } from '@perdure/contracts';
import { implement } from '../dispatcher/implement.js';
import { requireProject } from './find-project.js';

export const archiveProjectHandler = implement(catalogue.projects.archiveProject, async ({ tx, input, audit }) => {
  const project = await requireProject(tx, input.project);
  const archived = await tx.run(
    `UPDATE project SET status = 'archived' WHERE workspace_id = $1 AND id = $2 AND status = 'active'`,
    [tx.workspaceId, project.id],
  );
  if (archived > 0) audit({ type: 'project.archived', subjectId: project.id, payload: { reason: input.reason } });
  return { project: { ...project, status: 'archived' as const } };
});
