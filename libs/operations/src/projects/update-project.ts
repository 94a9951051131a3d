import { catalogue } from '@perdure/contracts';
import { implement } from '../dispatcher/implement.js';
import { requireProject } from './find-project.js';

export const updateProjectHandler = implement(catalogue.projects.updateProject, async ({ tx, input, audit }) => {
  const before = await requireProject(tx, input.project);
  const after = {
    ...before,
    name: input.name ?? before.name,
    repository_urls: input.repository_urls ?? before.repository_urls,
    attributes: input.attributes ?? before.attributes,
  };
  const attributes = JSON.stringify(after.attributes);
  const changed = await tx.run(
    `UPDATE project SET name = $3, repository_urls = $4, attributes = $5
     WHERE workspace_id = $1 AND id = $2 AND (name, repository_urls, attributes) IS DISTINCT FROM ($3, $4::text[], $5::jsonb)`,
    [tx.workspaceId, before.id, after.name, after.repository_urls, attributes],
  );
  if (changed > 0) {
    const { name, repository_urls } = after;
    audit({
      type: 'project.updated',
      subjectId: before.id,
      payload: { name, repository_urls, attributes: after.attributes },
    });
  }
  return { project: after };
});
