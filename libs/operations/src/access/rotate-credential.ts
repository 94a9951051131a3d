import { catalogue, DomainError } from '@perdure/contracts';
import { implement } from '../dispatcher/implement.js';
import { requireHeld, requirePerson } from './authority.js';
import { lockCredential, type StoredCredential } from './credential-rows.js';
import { mintToken } from './token.js';

const DEFAULT_OVERLAP_MINUTES = 24 * 60;

export const rotateCredentialHandler = implement(
  catalogue.access.rotateCredential,
  async ({ tx, caller, input, now, audit }) => {
    const stored = await lockCredential(tx, input.credential_id, now);
    requirePerson(caller, stored.member?.id ?? null);
    requireHeld(caller, stored.credential.scopes);
    requireRotatable(stored, now);
    const { id } = stored.credential;
    const { token, secretDigest, lastFour } = mintToken(id);
    // Set from the row's own digest: the secret that was in an earlier overlap is gone with this.
    await tx.run(
      `UPDATE credential SET previous_secret_digest = secret_digest, secret_digest = $3, last_four = $4, rotated_at = $5,
         previous_expires_at = least($5::timestamptz + make_interval(mins => $6), expires_at)
       WHERE workspace_id = $1 AND id = $2`,
      [tx.workspaceId, id, secretDigest, lastFour, now, input.overlap_minutes ?? DEFAULT_OVERLAP_MINUTES],
    );
    const { credential } = await lockCredential(tx, id, now);
    const old_secret_valid_until = credential.old_secret_valid_until;
    audit({ type: 'credential.rotated', subjectId: id, payload: { old_secret_valid_until } });
    return { credential, secret: token };
  },
);

/** @throws DomainError `conflict` for one that ended, `unprocessable` for one whose tokens rotate by themselves */
function requireRotatable({ credential }: StoredCredential, now: string): void {
  if (credential.via === 'mcp_authorization') {
    throw new DomainError(
      'unprocessable',
      'An MCP client got this credential by authorization and renews its tokens by itself.',
      {},
      'Revoke it to make the client ask for approval again.',
    );
  }
  const ended = credential.revoked_at !== null || (credential.expires_at !== null && credential.expires_at <= now);
  if (ended) {
    const what = credential.revoked_at === null ? 'expired' : 'revoked';
    throw new DomainError('conflict', `The credential is ${what}; issue a new one.`);
  }
}
