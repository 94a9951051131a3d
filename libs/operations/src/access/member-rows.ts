import { DomainError, type MemberObject } from '@perdure/contracts';
import type { SqlValue, Transaction } from '@perdure/store';

const SELECT_MEMBER = `
  SELECT m.id, json_build_object('id', a.id, 'name', a.name, 'kind', a.kind) AS actor, m.email, m.role, m.status,
    perdure_instant(m.invited_at) AS invited_at, perdure_instant(m.joined_at) AS joined_at,
    perdure_instant(m.removed_at) AS removed_at
  FROM member m JOIN actor a ON a.workspace_id = m.workspace_id AND a.id = m.actor_id
  WHERE m.workspace_id = $1`;

/** The member whose address that is, whatever its case, unless removed. */
export const findMemberByEmail = (tx: Transaction, email: string): Promise<MemberObject | undefined> =>
  tx.first<MemberObject>(`${SELECT_MEMBER} AND lower(m.email) = lower($2) AND m.status <> 'removed'`, [
    tx.workspaceId,
    email,
  ]);

/** The member whose actor that is, unless removed. */
export const findMemberByActor = (tx: Transaction, actorId: string): Promise<MemberObject | undefined> =>
  tx.first<MemberObject>(`${SELECT_MEMBER} AND m.actor_id = $2 AND m.status <> 'removed'`, [tx.workspaceId, actorId]);

/** @throws DomainError `not_found` */
export async function requireMember(tx: Transaction, id: string): Promise<MemberObject> {
  const member = await tx.first<MemberObject>(`${SELECT_MEMBER} AND m.id = $2`, [tx.workspaceId, id]);
  if (member === undefined) throw new DomainError('not_found', 'There is no such member.');
  return member;
}

/** The member, held until the commit. @throws DomainError `not_found` */
export async function lockMember(tx: Transaction, id: string): Promise<MemberObject> {
  // Owners first and in one order for everybody: whoever changes one may have to count them.
  await lockOwners(tx);
  await tx.run('SELECT FROM member WHERE workspace_id = $1 AND id = $2 FOR NO KEY UPDATE', [tx.workspaceId, id]);
  return requireMember(tx, id);
}

interface ListFilter {
  readonly includeRemoved: boolean;
  readonly after: { readonly invitedAt: string; readonly id: string } | null;
  readonly limit: number;
}

/** In the order in which they came. */
export function listMembers(tx: Transaction, { includeRemoved, after, limit }: ListFilter): Promise<MemberObject[]> {
  const parameters: SqlValue[] = [tx.workspaceId, includeRemoved, after?.invitedAt ?? null, after?.id ?? null, limit];
  return tx.rows<MemberObject>(
    `${SELECT_MEMBER} AND ($2 OR m.status <> 'removed')
       AND ($3::timestamptz IS NULL OR (m.invited_at, m.id) > ($3, $4))
     ORDER BY m.invited_at, m.id LIMIT $5`,
    parameters,
  );
}

export interface NewMember {
  readonly id: string;
  readonly actorId: string;
  readonly email: string | null;
  readonly role: MemberObject['role'];
  readonly status: 'invited' | 'active';
  readonly now: string;
}

export async function insertMember(tx: Transaction, member: NewMember): Promise<void> {
  await tx.run(
    `INSERT INTO member (workspace_id, id, actor_id, email, role, status, invited_at, joined_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, CASE WHEN $6 = 'active' THEN $7::timestamptz END)`,
    [tx.workspaceId, member.id, member.actorId, member.email, member.role, member.status, member.now],
  );
}

/**
 * Holds every active owner until the commit and counts them: two owners who demote each other at the same moment wait
 * for one another, and the second finds one left.
 */
async function lockOwners(tx: Transaction): Promise<number> {
  const owners = await tx.rows<{ id: string }>(
    `SELECT id FROM member WHERE workspace_id = $1 AND role = 'owner' AND status = 'active'
     ORDER BY id FOR NO KEY UPDATE`,
    [tx.workspaceId],
  );
  return owners.length;
}

/** @throws DomainError `last_owner` when the workspace would be left without an active owner */
export async function requireAnotherOwner(tx: Transaction, member: MemberObject): Promise<void> {
  if (member.role !== 'owner' || member.status !== 'active') return;
  if ((await lockOwners(tx)) > 1) return;
  throw new DomainError('last_owner', 'This is the last owner of the workspace.');
}
