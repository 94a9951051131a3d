import type { Scope } from '@perdure/contracts';
import { createOauthStore, recordAuditEvent, type Transaction, withWorkspace } from '@perdure/store';
import type { DataSource } from 'typeorm';
import { ulid } from 'ulid';

/** A program that a person let act for them. Times are RFC 3339. */
export interface McpGrant {
  readonly credential_id: string;
  readonly client_name: string;
  readonly redirect_host: string;
  readonly scopes: readonly Scope[];
  readonly created_at: string;
  readonly expires_at: string;
  readonly last_used_at: string | null;
}

interface Person {
  readonly workspaceId: string;
  readonly memberId: string;
}

/** What a person approved and is still good, newest first. */
export const listMcpGrants = (dataSource: DataSource, person: Person, now: string): Promise<McpGrant[]> =>
  withWorkspace(dataSource, person.workspaceId, (tx) =>
    tx.rows<McpGrant>(
      `SELECT c.id AS credential_id, g.client_name, g.redirect_host, c.scopes,
         perdure_instant(c.created_at) AS created_at, perdure_instant(c.expires_at) AS expires_at,
         perdure_instant(c.last_used_at) AS last_used_at
       FROM mcp_grant g JOIN credential c ON c.workspace_id = g.workspace_id AND c.id = g.credential_id
       WHERE g.workspace_id = $1 AND c.member_id = $2 AND c.revoked_at IS NULL AND c.expires_at > $3
       ORDER BY c.created_at DESC, c.id DESC LIMIT 200`,
      [person.workspaceId, person.memberId, now],
    ),
  );

/** A person ends a grant of their own. @returns false when it is none of theirs, or over already */
export const revokeOwnMcpGrant = (
  dataSource: DataSource,
  person: Person & { readonly actorId: string },
  credentialId: string,
  now: string,
): Promise<boolean> =>
  withWorkspace(dataSource, person.workspaceId, (tx) =>
    revoke(tx, { credentialId, memberId: person.memberId, actorId: person.actorId, reason: 'revoked_by_person', now }),
  );

/**
 * Ends a grant for a reason that a program gave: its token was used twice, or it handed the token back. Any number of
 * calls at once end it once, with one event.
 *
 * @returns its workspace when this call ended it
 */
export async function endMcpGrant(
  dataSource: DataSource,
  credentialId: string,
  reason: string,
  now: string,
): Promise<string | null> {
  const grant = await createOauthStore(dataSource).findGrant(credentialId);
  if (grant === undefined || grant.revoked_at !== null) return null;
  const ended = await withWorkspace(dataSource, grant.workspace_id, (tx) =>
    revoke(tx, { credentialId, memberId: null, actorId: grant.actor_id, reason, now }),
  );
  return ended ? grant.workspace_id : null;
}

interface Revocation {
  readonly credentialId: string;
  /** Only a grant of this member; null: anybody's. */
  readonly memberId: string | null;
  readonly actorId: string;
  readonly reason: string;
  readonly now: string;
}

async function revoke(tx: Transaction, { credentialId, memberId, actorId, reason, now }: Revocation): Promise<boolean> {
  const [row] = await tx.rows<{ actor_id: string; actor_name: string }>(
    `UPDATE credential c SET revoked_at = $4 FROM actor a
     WHERE c.workspace_id = $1 AND c.id = $2 AND ($3::text IS NULL OR c.member_id = $3) AND c.revoked_at IS NULL
       AND c.via = 'mcp_authorization' AND a.workspace_id = c.workspace_id AND a.id = c.actor_id
     RETURNING a.id AS actor_id, a.name AS actor_name`,
    [tx.workspaceId, credentialId, memberId, now],
  );
  if (row === undefined) return false;
  const payload = { ...row, reason };
  recordAuditEvent(tx, {
    eventId: ulid(),
    type: 'credential.revoked',
    at: now,
    actorId,
    subjectId: credentialId,
    payload,
  });
  return true;
}
