import { type BuildSessionObject, DomainError } from '@perdure/contracts';
import { findBuildSession, type Transaction } from '@perdure/store';

export const noSuchSession = () => new DomainError('not_found', 'There is no such build session in this workspace.');

export const sessionEnded = (id: string, endedAt: string | null) =>
  new DomainError('session_ended', 'The build session has ended.', { build_session_id: id, ended_at: endedAt });

/** @throws DomainError `not_found`, the same for an unknown session and for another workspace's */
export async function requireBuildSession(tx: Transaction, id: string): Promise<BuildSessionObject> {
  const session = await findBuildSession(tx, id);
  if (session === undefined) throw noSuchSession();
  return session;
}

/** For calls that need no more of a session than that it is there. @throws DomainError `not_found` */
export async function requireSessionId(tx: Transaction, id: string): Promise<void> {
  const found = await tx.first(`SELECT 1 FROM build_session WHERE workspace_id = $1 AND id = $2`, [tx.workspaceId, id]);
  if (found === undefined) throw noSuchSession();
}
