import { catalogue, DomainError } from '@perdure/contracts';
import { implement } from '../dispatcher/implement.js';
import { requireAuthorityOver } from './authority.js';
import { lockMember, requireAnotherOwner } from './member-rows.js';

export const changeMemberRoleHandler = implement(
  catalogue.access.changeMemberRole,
  async ({ tx, caller, input, audit }) => {
    const member = await lockMember(tx, input.member_id);
    requireAuthorityOver(caller, [member.role, input.role]);
    if (member.status === 'removed') {
      throw new DomainError('conflict', 'This person was removed.', {}, 'Invite them again.');
    }
    if (member.role === input.role) return { member };
    await requireAnotherOwner(tx, member);
    await tx.run('UPDATE member SET role = $3 WHERE workspace_id = $1 AND id = $2', [
      tx.workspaceId,
      member.id,
      input.role,
    ]);
    audit({
      type: 'member.role_changed',
      subjectId: member.id,
      payload: { from: member.role, to: input.role, actor_id: member.actor.id },
    });
    return { member: { ...member, role: input.role } };
  },
);
