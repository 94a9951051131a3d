import { DomainError, type ProjectObject } from '@perdure/contracts';
import { ProjectEntity, type Transaction } from '@perdure/store';

/**
 * The project an argument names, by id or by slug; an id wins when a text could be both.
 *
 * @throws DomainError `not_found`, the same for an unknown project and for another workspace's
 */
export async function requireProject(tx: Transaction, reference: string): Promise<ProjectObject> {
  const { workspaceId } = tx;
  const found = await tx.entities.find(ProjectEntity, {
    where: [
      { workspaceId, id: reference },
      { workspaceId, slug: reference },
    ],
  });
  const project = found.find((candidate) => candidate.id === reference) ?? found[0];
  if (project === undefined) {
    const hint = '`list_projects` names them; `create_project` makes one.';
    throw new DomainError('not_found', 'There is no such project in this workspace.', {}, hint);
  }
  return toProjectObject(project);
}

export const toProjectObject = (row: ProjectEntity): ProjectObject => ({
  id: row.id,
  slug: row.slug,
  name: row.name,
  repository_urls: row.repositoryUrls,
  attributes: row.attributes,
  status: row.status === 'archived' ? 'archived' : 'active',
  created_at: row.createdAt.toISOString(),
});
