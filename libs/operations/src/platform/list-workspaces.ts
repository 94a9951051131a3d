import { catalogue, type ListedWorkspaceObject, type WorkspaceObject } from '@perdure/contracts';
import { countOwnRows, listWorkspaces, type Transaction, unsafelyAsWorkspace } from '@perdure/store';
import { measureStored } from '../dispatcher/admission.js';
import { implement } from '../dispatcher/implement.js';
import { listPage } from '../paging/list-page.js';

const contract = catalogue.platform.listWorkspaces;

/** What is stored is measured again when it was measured longer ago. */
const MEASURED_FOR_MS = 5 * 60_000;

export const listWorkspacesHandler = implement(contract, async ({ tx, input, now }) => {
  const page = await listPage(
    { operation: contract.name, workspaceId: tx.workspaceId, input },
    {
      read: (after, limit) =>
        listWorkspaces(tx, {
          search: input.search,
          status: input.status,
          after: after === null ? null : { name: String(after[0]), id: String(after[1]) },
          limit,
        }),
      keyOf: (workspace) => [workspace.name, workspace.id],
    },
  );
  const items: ListedWorkspaceObject[] = [];
  for (const workspace of page.items) items.push(await withCounts(tx, workspace, now));
  return { items, next_cursor: page.next_cursor };
});

/** Numbers come from inside the workspace, under its own row-level security; nothing else leaves it. */
async function withCounts(tx: Transaction, workspace: WorkspaceObject, now: string): Promise<ListedWorkspaceObject> {
  const counts = await unsafelyAsWorkspace(tx, workspace.id, async (inside) => {
    await measureStored(inside, now, new Date(Date.parse(now) - MEASURED_FOR_MS));
    return countOwnRows(inside);
  });
  return { ...workspace, counts };
}
