import { type Caller, catalogue, DomainError, type InputOf, type MemberObject } from '@perdure/contracts';
import type { Transaction } from '@perdure/store';
import { type HandlerContext, implement } from '../dispatcher/implement.js';
import { isOwner, requireAuthorityOver } from './authority.js';
import { ensureActor } from './insert-credential.js';
import { findMemberByEmail, insertMember, requireMember } from './member-rows.js';
import { mintSignInLink, signInUrl } from './sign-in-link.js';

type Context = HandlerContext<InputOf<typeof catalogue.access.inviteMember>>;

export const inviteMemberHandler = implement(catalogue.access.inviteMember, async (context) => {
  const { tx, caller, input, now, apiUrl, audit } = context;
  if (apiUrl === null) {
    throw new DomainError('unprocessable', 'This installation does not know its own address: set PERDURE_API_URL.');
  }
  requireAuthorityOver(caller, [input.role]);
  await lockEmail(tx, input.email);
  const earlier = await findMemberByEmail(tx, input.email);
  const memberId = earlier === undefined ? await addMember(context) : await inviteAgain(context, earlier);
  const member = await requireMember(tx, memberId);
  const purpose = member.status === 'invited' ? 'invitation' : 'sign_in';
  const token = await mintSignInLink(tx, { memberId, purpose, now });
  audit({ type: 'member.invited', subjectId: memberId, payload: { role: member.role, email: input.email, purpose } });
  return { member, invitation_url: signInUrl(apiUrl, token) };
});

/** Two invitations of one address at the same moment: the second finds the member whom the first made. */
async function lockEmail(tx: Transaction, email: string): Promise<void> {
  await tx.run(`SELECT pg_advisory_xact_lock(hashtextextended($1 || '/member/' || lower($2), 0))`, [
    tx.workspaceId,
    email,
  ]);
}

async function addMember({ tx, input, now, newId }: Context): Promise<string> {
  const actor = await ensureActor(tx, { id: newId(), name: input.email.toLowerCase(), kind: 'person', now });
  if (actor.kind !== 'person') {
    throw new DomainError('conflict', `An actor named ${actor.name} exists already and is no person.`);
  }
  const id = newId();
  const { email, role } = input;
  await insertMember(tx, { id, actorId: actor.id, email, role, status: 'invited', now });
  return id;
}

async function inviteAgain({ tx, caller, input, now }: Context, member: MemberObject): Promise<string> {
  requireAuthorityOver(caller, [member.role]);
  if (member.status === 'active') requireOwnLink(caller, member, input.role);
  await tx.run(
    `UPDATE member SET role = $3, invited_at = $4 WHERE workspace_id = $1 AND id = $2 AND status = 'invited'`,
    [tx.workspaceId, member.id, input.role, now],
  );
  return member.id;
}

/** A link for somebody who has joined signs its holder in as them: it is for themselves and for owners to make. */
function requireOwnLink(caller: Caller, member: MemberObject, role: MemberObject['role']): void {
  const allowed = isOwner(caller) || caller.member?.id === member.id;
  if (allowed && member.role === role) return;
  throw new DomainError(
    'conflict',
    `This person is already a member, as ${member.role}.`,
    { member_id: member.id },
    allowed ? 'Use change_member_role.' : 'An owner can make them a new sign-in link.',
  );
}
