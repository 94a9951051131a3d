import { catalogue } from '@perdure/contracts';
import { implement } from '../dispatcher/implement.js';
import { listPage } from '../paging/list-page.js';
import { listMembers } from './member-rows.js';

const contract = catalogue.access.listMembers;

export const listMembersHandler = implement(contract, ({ tx, input }) =>
  listPage(
    { operation: contract.name, workspaceId: tx.workspaceId, input },
    {
      read: (after, limit) =>
        listMembers(tx, {
          includeRemoved: input.include_removed ?? false,
          after: after === null ? null : { invitedAt: String(after[0]), id: String(after[1]) },
          limit,
        }),
      keyOf: (member) => [member.invited_at, member.id],
    },
  ),
);
