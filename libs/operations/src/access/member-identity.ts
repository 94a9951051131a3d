import { DomainError, MEMBER_ROLES, type MemberObject, type MemberRole } from '@perdure/contracts';
import {
  type AuditRecord,
  findMemberships,
  findWorkspaceNamed,
  type Identity,
  type MembershipRow,
  recordAuditEvent,
  type Transaction,
  withWorkspace,
} from '@perdure/store';
import type { DataSource } from 'typeorm';
import { ulid } from 'ulid';
import { ensureActor } from './insert-credential.js';
import { findMemberByEmail, insertMember, lockMember, requireAnotherOwner } from './member-rows.js';

/** A role in a workspace that one of a person's groups stands for. */
export interface GroupRole {
  readonly workspaceSlug: string;
  readonly role: MemberRole;
}

/**
 * Where somebody whom the identity provider has identified may go in: the workspaces that their groups stand for, in
 * which they become members or get the group's role, and those that invited them by a verified address. The groups
 * decide at every sign-in, except about owners: those are made and unmade by owners.
 *
 * @returns the workspaces, in the order of their names
 * @throws DomainError `unavailable`
 */
export async function admitIdentity(
  dataSource: DataSource,
  identity: Identity,
  groupRoles: readonly GroupRole[],
  now: string,
): Promise<MembershipRow[]> {
  const known = await findMemberships(dataSource, identity);
  for (const [slug, role] of highestBySlug(groupRoles)) {
    const workspace = await findWorkspaceNamed(dataSource, slug);
    if (workspace === undefined) continue;
    const member = known.find(({ workspace_id }) => workspace_id === workspace.workspace_id);
    await withWorkspace(dataSource, workspace.workspace_id, (tx) =>
      member === undefined ? addMember(tx, identity, role, now) : giveRole(tx, member.member_id, role, now),
    );
  }
  return findMemberships(dataSource, identity);
}

/** MEMBER_ROLES goes from the one that may most to the one that may least. */
function highestBySlug(groupRoles: readonly GroupRole[]): Map<string, MemberRole> {
  const highest = new Map<string, MemberRole>();
  for (const { workspaceSlug, role } of groupRoles) {
    const before = highest.get(workspaceSlug);
    if (before === undefined || MEMBER_ROLES.indexOf(role) < MEMBER_ROLES.indexOf(before))
      highest.set(workspaceSlug, role);
  }
  return highest;
}

/** Without a verified address there is no name for them: they are left out, and told so by the page. */
async function addMember(tx: Transaction, { email }: Identity, role: MemberRole, now: string): Promise<void> {
  if (email === null || (await findMemberByEmail(tx, email)) !== undefined) return;
  const actor = await ensureActor(tx, { id: ulid(), name: email.toLowerCase(), kind: 'person', now });
  if (actor.kind !== 'person') return;
  const id = ulid();
  await insertMember(tx, { id, actorId: actor.id, email, role, status: 'active', now });
  record(tx, 'member.joined', { id, actorId: actor.id }, { role, by: 'identity_provider' }, now);
}

async function giveRole(tx: Transaction, memberId: string, role: MemberRole, now: string): Promise<void> {
  const member = await lockMember(tx, memberId);
  if (member.role === role || member.role === 'owner' || member.status === 'removed') return;
  await requireAnotherOwner(tx, member);
  await tx.run('UPDATE member SET role = $3 WHERE workspace_id = $1 AND id = $2', [tx.workspaceId, memberId, role]);
  const payload = { from: member.role, to: role, actor_id: member.actor.id, by: 'identity_provider' };
  record(tx, 'member.role_changed', { id: memberId, actorId: member.actor.id }, payload, now);
}

/**
 * Goes in: an invited member becomes an active one, and is known by their subject from now on, whatever becomes of their
 * address.
 *
 * @throws DomainError `forbidden` when they were removed meanwhile
 */
export const joinByIdentity = (
  dataSource: DataSource,
  identity: Identity,
  { workspace_id: workspaceId, member_id: memberId }: Pick<MembershipRow, 'workspace_id' | 'member_id'>,
  now: string,
): Promise<void> =>
  withWorkspace(dataSource, workspaceId, async (tx) => {
    const member = await lockMember(tx, memberId);
    if (member.status === 'removed')
      throw new DomainError('forbidden', 'You are no member of this workspace any more.');
    await tx.run(
      `INSERT INTO member_identity (workspace_id, issuer, subject, member_id, linked_at) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (workspace_id, issuer, subject) DO UPDATE SET member_id = excluded.member_id, linked_at = excluded.linked_at`,
      [workspaceId, identity.issuer, identity.subject, memberId, now],
    );
    if (member.status === 'invited') await activate(tx, member, now);
  });

async function activate(tx: Transaction, member: MemberObject, now: string): Promise<void> {
  await tx.run(`UPDATE member SET status = 'active', joined_at = $3 WHERE workspace_id = $1 AND id = $2`, [
    tx.workspaceId,
    member.id,
    now,
  ]);
  const payload = { role: member.role, by: 'identity_provider' };
  record(tx, 'member.joined', { id: member.id, actorId: member.actor.id }, payload, now);
}

const record = (
  tx: Transaction,
  type: AuditRecord['type'],
  { id, actorId }: { id: string; actorId: string },
  payload: AuditRecord['payload'],
  at: string,
): void => recordAuditEvent(tx, { eventId: ulid(), type, at, actorId, subjectId: id, payload });
