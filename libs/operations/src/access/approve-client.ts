import { randomBytes } from 'node:crypto';
import { DomainError, GRANTABLE_SCOPES, ROLE_SCOPES, type MemberRole, type Scope } from '@perdure/contracts';
import { recordAuditEvent, type Transaction, withWorkspace } from '@perdure/store';
import type { DataSource } from 'typeorm';
import { ulid } from 'ulid';
import { ensureActor } from './insert-credential.js';

/** A program as the person who approves it sees it. */
export interface ApprovedClient {
  readonly id: string;
  readonly name: string;
  /** Where the answer goes. */
  readonly redirectHost: string;
}

export interface Approval {
  readonly workspaceId: string;
  readonly memberId: string;
  readonly client: ApprovedClient;
  readonly asked: readonly Scope[];
  readonly expiresAt: string;
  readonly now: string;
}

/** Of what a program asks for, what a person of that role can give it. */
export const grantableScopes = (role: MemberRole, asked: readonly Scope[]): Scope[] =>
  GRANTABLE_SCOPES.filter((scope) => asked.includes(scope) && ROLE_SCOPES[role].includes(scope));

/**
 * A person lets a program act for them: a credential that stands for the person, of an actor that is this program of
 * theirs. The actor's name depends on both alone, so that approving again finds the sessions of before (S1).
 *
 * @returns the credential's id and what it may do; its secret exists nowhere, access tokens take its place
 * @throws DomainError `forbidden_scope` when the role covers nothing of what was asked, `forbidden` when the person is no
 *   member any more, `workspace_suspended`
 */
export function approveClient(
  dataSource: DataSource,
  approval: Approval,
): Promise<{ credentialId: string; scopes: readonly Scope[] }> {
  return withWorkspace(dataSource, approval.workspaceId, async (tx) => {
    const person = await requirePerson(tx, approval.memberId);
    const scopes = grantableScopes(person.role, approval.asked);
    if (scopes.length === 0)
      throw new DomainError('forbidden_scope', 'Your role covers nothing of what this program asks for.');
    const name = `${person.name} / ${approval.client.name}`;
    const actor = await ensureActor(tx, { id: ulid(), name, kind: 'agent', now: approval.now });
    const credentialId = await insertGrant(tx, approval, actor.id, scopes);
    recordAuditEvent(tx, {
      eventId: ulid(),
      type: 'credential.issued',
      at: approval.now,
      actorId: person.actorId,
      subjectId: credentialId,
      payload: {
        actor_id: actor.id,
        actor_name: actor.name,
        scopes,
        expires_at: approval.expiresAt,
        via: 'mcp_authorization',
        member_id: approval.memberId,
        client_id: approval.client.id,
      },
    });
    return { credentialId, scopes };
  });
}

/** The member, who cannot be removed or change roles before the commit. */
async function requirePerson(tx: Transaction, memberId: string) {
  const row = await tx.first<{ role: MemberRole; actorId: string; name: string; workspace: string }>(
    `SELECT m.role, a.id AS "actorId", a.name, w.status AS workspace
     FROM member m
     JOIN actor a ON a.workspace_id = m.workspace_id AND a.id = m.actor_id
     JOIN workspace w ON w.workspace_id = m.workspace_id
     WHERE m.workspace_id = $1 AND m.id = $2 AND m.status = 'active' FOR SHARE OF m`,
    [tx.workspaceId, memberId],
  );
  if (row === undefined) throw new DomainError('forbidden', 'You are no member of this workspace any more.');
  if (row.workspace !== 'active') throw new DomainError('workspace_suspended', 'This workspace is suspended.');
  return row;
}

async function insertGrant(
  tx: Transaction,
  { memberId, client, expiresAt, now }: Approval,
  actorId: string,
  scopes: readonly Scope[],
): Promise<string> {
  const id = ulid();
  await tx.run(
    `INSERT INTO credential (workspace_id, id, actor_id, scopes, secret_digest, prefix, last_four, via, created_at, expires_at, member_id)
     VALUES ($1, $2, $3, $4, $5, $6, '', 'mcp_authorization', $7, $8, $9)`,
    // A digest that no token has.
    [tx.workspaceId, id, actorId, scopes, randomBytes(32), `prd_access_${id}`, now, expiresAt, memberId],
  );
  await tx.run(
    `INSERT INTO mcp_grant (workspace_id, credential_id, client_id, client_name, redirect_host)
     VALUES ($1, $2, $3, $4, $5)`,
    [tx.workspaceId, id, client.id, client.name, client.redirectHost],
  );
  return id;
}
