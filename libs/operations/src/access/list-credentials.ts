import { catalogue } from '@perdure/contracts';
import { implement } from '../dispatcher/implement.js';
import { listPage } from '../paging/list-page.js';
import { listCredentials } from './credential-rows.js';

const contract = catalogue.access.listCredentials;

export const listCredentialsHandler = implement(contract, ({ tx, input, now }) =>
  listPage(
    { operation: contract.name, workspaceId: tx.workspaceId, input },
    {
      read: (after, limit) =>
        listCredentials(tx, {
          includeRevoked: input.include_revoked ?? false,
          after: after === null ? null : { createdAt: String(after[0]), id: String(after[1]) },
          limit,
          now,
        }),
      keyOf: (credential) => [credential.created_at, credential.id],
    },
  ),
);
