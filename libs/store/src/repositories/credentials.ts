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
