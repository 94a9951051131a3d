import { DomainError, type CredentialObject, type MemberRole, type Scope } from '@perdure/contracts';
import type { Transaction } from '@perdure/store';

/** A credential as rows show it: its public form and, where it stands for a member, who that is. */
export interface StoredCredential {
  readonly credential: CredentialObject;
  readonly member: { readonly id: string; readonly role: MemberRole } | null;
}

type Row = Omit<CredentialObject, 'scopes'> & {
  readonly scopes: Scope[];
  readonly member_id: string | null;
  readonly member_role: MemberRole | null;
};

const FROM_CREDENTIAL = `
  FROM credential c
  JOIN actor a ON a.workspace_id = c.workspace_id AND a.id = c.actor_id
  LEFT JOIN member m ON m.workspace_id = c.workspace_id AND m.id = c.member_id`;

const COLUMNS = `c.id, json_build_object('id', a.id, 'name', a.name, 'kind', a.kind) AS actor, c.scopes, c.prefix,
  c.last_four, perdure_instant(c.created_at) AS created_at, perdure_instant(c.expires_at) AS expires_at,
  perdure_instant(c.last_used_at) AS last_used_at, perdure_instant(c.revoked_at) AS revoked_at,
  perdure_instant(c.previous_expires_at) AS old_secret_valid_until, c.via, m.id AS member_id, m.role AS member_role`;

/**
 * The credential of that id in the workspace, locked until the commit: two changes of one happen one after the other.
 *
 * @throws DomainError `not_found`
 */
export async function lockCredential(tx: Transaction, id: string, now: string): Promise<StoredCredential> {
  await tx.run('SELECT FROM credential WHERE workspace_id = $1 AND id = $2 FOR NO KEY UPDATE', [tx.workspaceId, id]);
  const row = await tx.first<Row>(`SELECT ${COLUMNS} ${FROM_CREDENTIAL} WHERE c.workspace_id = $1 AND c.id = $2`, [
    tx.workspaceId,
    id,
  ]);
  if (row === undefined) throw new DomainError('not_found', 'There is no such credential.');
  return toStored(row, now);
}

interface ListFilter {
  readonly includeRevoked: boolean;
  readonly after: { readonly createdAt: string; readonly id: string } | null;
  readonly limit: number;
  readonly now: string;
}

/** Newest first. */
export async function listCredentials(tx: Transaction, filter: ListFilter): Promise<CredentialObject[]> {
  const rows = await tx.rows<Row>(
    `SELECT ${COLUMNS} ${FROM_CREDENTIAL}
     WHERE c.workspace_id = $1 AND ($2 OR c.revoked_at IS NULL)
       AND ($3::timestamptz IS NULL OR (c.created_at, c.id) < ($3, $4))
     ORDER BY c.created_at DESC, c.id DESC LIMIT $5`,
    [tx.workspaceId, filter.includeRevoked, filter.after?.createdAt ?? null, filter.after?.id ?? null, filter.limit],
  );
  return rows.map((row) => toStored(row, filter.now).credential);
}

function toStored({ member_id: id, member_role: role, ...credential }: Row, now: string): StoredCredential {
  const until = credential.old_secret_valid_until;
  return {
    credential: { ...credential, old_secret_valid_until: until !== null && until > now ? until : null },
    member: id === null || role === null ? null : { id, role },
  };
}
