import { catalogue } from '@perdure/contracts';
import { listBacklogItems } from '@perdure/store';
import { implement } from '../dispatcher/implement.js';
import { listPage } from '../paging/list-page.js';
import { requireProject } from '../projects/find-project.js';
import { requireSessionId } from '../sessions/find-build-session.js';

const contract = catalogue.backlog.listBacklogItems;

export const listBacklogItemsHandler = implement(contract, async ({ tx, input }) => {
  const project = input.project === undefined ? undefined : await requireProject(tx, input.project);
  if (input.build_session_id !== undefined) await requireSessionId(tx, input.build_session_id);
  const { status, priority, category, assignee, build_session_id: buildSessionId, search } = input;
  const filter = { projectId: project?.id, buildSessionId, status, priority, category, assignee, search };
  return listPage(
    { operation: contract.name, workspaceId: tx.workspaceId, input },
    {
      read: (after, limit) =>
        listBacklogItems(tx, filter, {
          after: after === null ? undefined : { filedAt: String(after[0]), id: String(after[1]) },
          limit,
        }),
      keyOf: (item) => [item.filed_at, item.id],
    },
  );
});
