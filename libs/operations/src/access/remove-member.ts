import { catalogue, type MemberObject } from '@perdure/contracts';
import type { Transaction } from '@perdure/store';
import { implement } from '../dispatcher/implement.js';
import { requireAuthorityOver } from './authority.js';
import { lockMember, requireAnotherOwner, requireMember } from './member-rows.js';

export const removeMemberHandler = implement(
  catalogue.access.removeMember,
  async ({ tx, caller, input, now, audit }) => {
    const member = await lockMember(tx, input.member_id);
    requireAuthorityOver(caller, [member.role]);
    if (member.status === 'removed') return { member };
    await requireAnotherOwner(tx, member);
    await tx.run(`UPDATE member SET status = 'removed', removed_at = $3 WHERE workspace_id = $1 AND id = $2`, [
      tx.workspaceId,
      member.id,
      now,
    ]);
    const revoked = await endAccess(tx, member, now);
    audit({
      type: 'member.removed',
      subjectId: member.id,
      payload: { reason: input.reason, actor_id: member.actor.id, credentials_revoked: revoked },
    });
    return { member: await requireMember(tx, member.id) };
  },
);

/** Sessions end by the member's status alone; what stands by itself is ended here. */
async function endAccess(tx: Transaction, member: MemberObject, now: string): Promise<number> {
  await tx.run(
    `UPDATE sign_in_link SET expires_at = $3
     WHERE workspace_id = $1 AND member_id = $2 AND used_at IS NULL AND expires_at > $3`,
    [tx.workspaceId, member.id, now],
  );
  return tx.run(
    `UPDATE credential SET revoked_at = $4
     WHERE workspace_id = $1 AND (member_id = $2 OR actor_id = $3) AND revoked_at IS NULL`,
    [tx.workspaceId, member.id, member.actor.id, now],
  );
}
