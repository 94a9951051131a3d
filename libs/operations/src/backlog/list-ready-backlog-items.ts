import { catalogue } from '@perdure/contracts';
import { listReadyBacklogItems } from '@perdure/store';
import { implement } from '../dispatcher/implement.js';
import { listPage } from '../paging/list-page.js';
import { requireProject } from '../projects/find-project.js';

const contract = catalogue.backlog.listReadyBacklogItems;

export const listReadyBacklogItemsHandler = implement(contract, async ({ tx, input }) => {
  const project = input.project === undefined ? undefined : await requireProject(tx, input.project);
  const page = await listPage(
    { operation: contract.name, workspaceId: tx.workspaceId, input },
    {
      read: (after, limit) =>
        listReadyBacklogItems(tx, project?.id, {
          after:
            after === null ? undefined : { rank: Number(after[0]), filedAt: String(after[1]), id: String(after[2]) },
          limit,
        }),
      keyOf: (item) => [item.rank, item.filed_at, item.id],
    },
  );
  return { ...page, items: page.items.map(({ rank: _rank, ...item }) => item) };
});
