import { catalogue } from '@perdure/contracts';
import { implement } from '../dispatcher/implement.js';
import { listPage } from '../paging/list-page.js';
import { requireProject } from '../projects/find-project.js';
import { listRules } from './rule-rows.js';

const contract = catalogue.rules.listRules;

export const listRulesHandler = implement(contract, async ({ tx, input }) => {
  const project = input.project === undefined ? undefined : await requireProject(tx, input.project);
  const filter = { projectId: project?.id, status: input.status, search: input.search };
  return listPage(
    { operation: contract.name, workspaceId: tx.workspaceId, input },
    {
      read: (after, limit) =>
        listRules(tx, filter, {
          after: after === null ? undefined : { createdAt: String(after[0]), id: String(after[1]) },
          limit,
        }),
      keyOf: (rule) => [rule.created_at, rule.id],
    },
  );
});
