import { catalogue, DomainError } from '@perdure/contracts';
import { implement } from '../dispatcher/implement.js';
import { slugFrom } from '../slug.js';

export const createProjectHandler = implement(
  catalogue.projects.createProject,
  async ({ tx, input, now, newId, audit }) => {
    const id = newId();
    const slug = input.slug ?? slugFrom(input.name, `project-${id.slice(-8).toLowerCase()}`);
    const repositoryUrls = input.repository_urls ?? [];
    const attributes = input.attributes ?? {};
    const created = await tx.run(
      `INSERT INTO project (workspace_id, id, slug, name, repository_urls, attributes, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (workspace_id, slug) DO NOTHING`,
      [tx.workspaceId, id, slug, input.name, repositoryUrls, JSON.stringify(attributes), now],
    );
    if (created === 0) {
      throw new DomainError('slug_taken', `A project with the slug ${slug} exists in this workspace.`, { slug });
    }
    audit({ type: 'project.created', subjectId: id, payload: { slug, name: input.name } });
    return {
      project: {
        id,
        slug,
        name: input.name,
        repository_urls: repositoryUrls,
        attributes,
        status: 'active' as const,
        created_at: now,
      },
    };
  },
);
