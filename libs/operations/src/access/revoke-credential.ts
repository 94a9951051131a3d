import { catalogue } from '@perdure/contracts';
import { implement } from '../dispatcher/implement.js';
import { requireAuthorityOver } from './authority.js';
import { lockCredential } from './credential-rows.js';

export const revokeCredentialHandler = implement(
  catalogue.access.revokeCredential,
  async ({ tx, caller, input, now, audit }) => {
    const { credential, member } = await lockCredential(tx, input.credential_id, now);
    if (member?.role === 'owner') requireAuthorityOver(caller, [member.role]);
    if (credential.revoked_at !== null) return { credential };
    await tx.run('UPDATE credential SET revoked_at = $3 WHERE workspace_id = $1 AND id = $2', [
      tx.workspaceId,
      credential.id,
      now,
    ]);
    audit({
      type: 'credential.revoked',
      subjectId: credential.id,
      payload: { actor_id: credential.actor.id, actor_name: credential.actor.name, reason: input.reason },
    });
    return { credential: { ...credential, revoked_at: now } };
  },
);
