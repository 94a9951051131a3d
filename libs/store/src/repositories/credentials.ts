import type { MemberRole } from '@perdure/contracts';
import type { DataSource } from 'typeorm';
import { translatePostgresError } from '../postgres-errors.js';

/** A credential with its actor, as the look-up shows it: enough to authenticate and nothing else. */
export interface CredentialRow {
  readonly workspace_id: string;
  readonly actor_id: string;
  readonly actor_name: string;
  readonly actor_kind: 'agent' | 'person' | 'operator';
  readonly scopes: string[];
  readonly secret_digest: Buffer;
  readonly previous_secret_digest: Buffer | null;
  readonly previous_expires_at: Date | null;
  readonly expires_at: Date | null;
  readonly revoked_at: Date | null;
  readonly member_id: string | null;
  readonly member_role: MemberRole | null;
  readonly member_status: 'invited' | 'active' | 'removed' | null;
  readonly requests_per_minute: number | null;
}

/**
 * The one question asked before a tenant is known, answered by a function that a role of its own owns (DESIGN §5).
 *
 * @throws DomainError `unavailable`
 */
export async function findCredential(dataSource: DataSource, id: string): Promise<CredentialRow | undefined> {
  try {
    const rows: CredentialRow[] = await dataSource.query('SELECT * FROM perdure_credential($1)', [id]);
    return rows[0];
  } catch (error) {
    throw translatePostgresError(error);
  }
}

/** Which credentials, members and workspaces changed, and the snapshot from which to ask next. */
export interface AccessChange {
  readonly seen: string;
  readonly credentials: ReadonlySet<string>;
  readonly members: ReadonlySet<string>;
  readonly workspaces: ReadonlySet<string>;
}

/**
 * What was changed about access by transactions that `since`, an earlier `seen`, had not seen; null names nothing.
 *
 * @throws DomainError `unavailable`
 */
export async function readAccessChanges(dataSource: DataSource, since: string | null): Promise<AccessChange> {
  try {
    const rows: { seen: string; credentials: string[]; members: string[]; workspaces: string[] }[] =
      await dataSource.query('SELECT * FROM perdure_access_changes($1)', [since]);
    const [row] = rows;
    if (row === undefined) throw new Error('perdure_access_changes gave no row');
    const { seen, credentials, members, workspaces } = row;
    return { seen, credentials: new Set(credentials), members: new Set(members), workspaces: new Set(workspaces) };
  } catch (error) {
    throw translatePostgresError(error);
  }
}

/** Writes when credentials were last used, all in one statement. */
export async function touchCredentials(dataSource: DataSource, uses: ReadonlyMap<string, Date>): Promise<void> {
  await dataSource.query('SELECT perdure_touch_credentials($1, $2)', [[...uses.keys()], [...uses.values()]]);
}
