import type { ActorObject, CredentialObject, Scope } from '@perdure/contracts';
import type { Transaction } from '@perdure/store';
import { mintToken } from './token.js';

interface NewCredential {
  readonly id: string;
  readonly actor: ActorObject;
  readonly scopes: readonly Scope[];
  readonly expiresAt: string | null;
  readonly now: string;
  /** The member for whom it stands: it ends with them and never does more than their role. */
  readonly memberId?: string | null;
}

/** Stores a new credential of the transaction's workspace; the token in the answer exists nowhere else. */
export async function insertCredential(
  tx: Transaction,
  { id, actor, scopes, expiresAt, now, memberId = null }: NewCredential,
): Promise<{ credential: CredentialObject; token: string }> {
  const { token, secretDigest, prefix, lastFour } = mintToken(id);
  await tx.run(
    `INSERT INTO credential (workspace_id, id, actor_id, scopes, secret_digest, prefix, last_four, created_at, expires_at, member_id)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [tx.workspaceId, id, actor.id, scopes, secretDigest, prefix, lastFour, now, expiresAt, memberId],
  );
  const credential: CredentialObject = {
    id,
    actor,
    scopes: [...scopes],
    prefix,
    last_four: lastFour,
    created_at: now,
    expires_at: expiresAt,
    last_used_at: null,
    revoked_at: null,
    old_secret_valid_until: null,
    via: 'issued',
  };
  return { credential, token };
}

/** The actor of that name in the transaction's workspace, made when it is new. */
export async function ensureActor(
  tx: Transaction,
  actor: { id: string; name: string; kind: ActorObject['kind']; now: string },
): Promise<ActorObject> {
  await tx.run(
    `INSERT INTO actor (workspace_id, id, name, kind, created_at) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (workspace_id, name) DO NOTHING`,
    [tx.workspaceId, actor.id, actor.name, actor.kind, actor.now],
  );
  const row = await tx.first<ActorObject>(`SELECT id, name, kind FROM actor WHERE workspace_id = $1 AND name = $2`, [
    tx.workspaceId,
    actor.name,
  ]);
  if (row === undefined) throw new Error('an actor cannot be read in the transaction that made it');
  return row;
}
