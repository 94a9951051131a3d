import { catalogue } from '@perdure/contracts';
import { ProjectEntity } from '@perdure/store';
import { implement } from '../dispatcher/implement.js';
import { listPage } from '../paging/list-page.js';
import { toProjectObject } from './find-project.js';

const contract = catalogue.projects.listProjects;

export const listProjectsHandler = implement(contract, ({ tx, input }) =>
  listPage(
    { operation: contract.name, workspaceId: tx.workspaceId, input },
    {
      read: async (after, limit) => {
        const query = tx.entities
          .createQueryBuilder(ProjectEntity, 'p')
          .where('p.workspaceId = :workspaceId', { workspaceId: tx.workspaceId })
          .orderBy('p.name')
          .addOrderBy('p.id')
          .limit(limit);
        if (input.search !== undefined) {
          // strpos: % and _ of the caller are text, not wildcards.
          query.andWhere('(strpos(lower(p.name), lower(:search)) > 0 OR strpos(p.slug, lower(:search)) > 0)', {
            search: input.search,
          });
        }
        if (after !== null)
          query.andWhere('(p.name, p.id) > (:afterName, :afterId)', { afterName: after[0], afterId: after[1] });
        return (await query.getMany()).map(toProjectObject);
      },
      keyOf: (project) => [project.name, project.id],
    },
  ),
);
