import { catalogue } from '@perdure/contracts';
import { WorkspaceEntity } from '@perdure/store';
import { implement } from '../dispatcher/implement.js';

export const whoAmIHandler = implement(catalogue.access.whoAmI, async ({ tx, caller }) => {
  const workspace = await tx.entities.findOneBy(WorkspaceEntity, { workspaceId: tx.workspaceId });
  if (workspace === null) throw new Error('the workspace of a credential does not exist');
  const { workspaceId: id, slug, name, status } = workspace;
  return {
    workspace: { id, slug, name, status },
    actor: caller.actor,
    scopes: [...caller.scopes],
    expires_at: caller.expiresAt,
  };
});
