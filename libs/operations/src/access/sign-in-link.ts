import { timingSafeEqual } from 'node:crypto';
import type { ActorObject, MemberRole } from '@perdure/contracts';
import { findSignInLink, recordAuditEvent, type Transaction, withWorkspace } from '@perdure/store';
import type { DataSource } from 'typeorm';
import { ulid } from 'ulid';
import { mintToken, readTokenOf } from './token.js';

/** How long a link can be used: an invitation waits in a mailbox, a sign-in is at hand. */
const MINUTES = { invitation: 7 * 24 * 60, sign_in: 60 } as const;

export type SignInPurpose = keyof typeof MINUTES;

interface NewLink {
  readonly memberId: string;
  readonly purpose: SignInPurpose;
  readonly now: string;
}

/**
 * A new one-time link for a member of the transaction's workspace; links that they had and did not use end with it.
 *
 * @returns the token of the link, which exists nowhere else
 */
export async function mintSignInLink(tx: Transaction, { memberId, purpose, now }: NewLink): Promise<string> {
  await tx.run(
    `UPDATE sign_in_link SET expires_at = $3
     WHERE workspace_id = $1 AND member_id = $2 AND used_at IS NULL AND expires_at > $3`,
    [tx.workspaceId, memberId, now],
  );
  const id = ulid();
  const { token, secretDigest } = mintToken(id, 'link');
  await tx.run(
    `INSERT INTO sign_in_link (workspace_id, id, member_id, purpose, secret_digest, created_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $6::timestamptz + make_interval(mins => $7))`,
    [tx.workspaceId, id, memberId, purpose, secretDigest, now, MINUTES[purpose]],
  );
  return token;
}

/** The address that a person opens. In the query and not the fragment: the page works without any script (docs/security.md). */
export const signInUrl = (apiUrl: string, token: string): string => `${apiUrl}/sign-in?token=${token}`;

export interface SignedInMember {
  readonly workspaceId: string;
  readonly memberId: string;
  readonly role: MemberRole;
  readonly actor: ActorObject;
}

/**
 * Uses a link up: once, however many ask at the same moment. An invited member becomes an active one with it.
 *
 * @returns whose link it was; null when it is unknown, used, expired, or its member was removed
 * @throws DomainError `unavailable`
 */
export async function redeemSignInLink(
  dataSource: DataSource,
  token: string,
  now: string,
): Promise<SignedInMember | null> {
  const read = readTokenOf('link', token);
  const link = read === null ? undefined : await findSignInLink(dataSource, read.id);
  if (read === null || link === undefined) return null;
  if (!timingSafeEqual(link.secret_digest, read.secretDigest)) return null;
  return withWorkspace(dataSource, link.workspace_id, async (tx) => {
    const taken = await tx.run(
      `UPDATE sign_in_link SET used_at = $3
       WHERE workspace_id = $1 AND id = $2 AND used_at IS NULL AND expires_at > $3`,
      [tx.workspaceId, read.id, now],
    );
    return taken === 0 ? null : joinMember(tx, link.member_id, now);
  });
}

async function joinMember(tx: Transaction, memberId: string, now: string): Promise<SignedInMember | null> {
  const joined = await tx.run(
    `UPDATE member SET status = 'active', joined_at = $3
     WHERE workspace_id = $1 AND id = $2 AND status = 'invited'`,
    [tx.workspaceId, memberId, now],
  );
  const row = await tx.first<{ role: MemberRole; actor: ActorObject }>(
    `SELECT m.role, json_build_object('id', a.id, 'name', a.name, 'kind', a.kind) AS actor
     FROM member m JOIN actor a ON a.workspace_id = m.workspace_id AND a.id = m.actor_id
     WHERE m.workspace_id = $1 AND m.id = $2 AND m.status = 'active'`,
    [tx.workspaceId, memberId],
  );
  if (row === undefined) return null;
  if (joined > 0) recordJoined(tx, memberId, row, now);
  return { workspaceId: tx.workspaceId, memberId, role: row.role, actor: row.actor };
}

function recordJoined(
  tx: Transaction,
  memberId: string,
  { role, actor }: { role: MemberRole; actor: ActorObject },
  now: string,
): void {
  recordAuditEvent(tx, {
    eventId: ulid(),
    type: 'member.joined',
    at: now,
    actorId: actor.id,
    subjectId: memberId,
    payload: { role },
  });
}
