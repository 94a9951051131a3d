import { DomainError, type WorkspaceObject } from '@perdure/contracts';
import { findWorkspace, lockOwnWorkspace, type Transaction, unsafelyAsWorkspace } from '@perdure/store';

/** A workspace of a tenant by id or slug; the installation's own is none. @throws DomainError `not_found` */
export async function requireWorkspace(tx: Transaction, reference: string): Promise<WorkspaceObject> {
  const workspace = await findWorkspace(tx, reference);
  if (workspace === undefined) throw new DomainError('not_found', 'There is no such workspace.');
  return workspace;
}

/**
 * Runs `change` inside a workspace whose row is held until the commit, then turns back to the platform's own.
 *
 * @throws DomainError `not_found`
 */
export async function changeWorkspace<Result>(
  tx: Transaction,
  reference: string,
  change: (inside: Transaction, workspace: WorkspaceObject) => Promise<Result>,
): Promise<Result> {
  const { id } = await requireWorkspace(tx, reference);
  return unsafelyAsWorkspace(tx, id, async (inside) => {
    const workspace = await lockOwnWorkspace(inside);
    if (workspace === undefined) throw new DomainError('not_found', 'There is no such workspace.');
    return change(inside, workspace);
  });
}
