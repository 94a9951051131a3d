import type { DataSource } from 'typeorm';
import { translatePostgresError } from '../postgres-errors.js';

/** A sign-in link with the state of its member, as the look-up shows it. */
export interface SignInLinkRow {
  readonly workspace_id: string;
  readonly member_id: string;
  readonly purpose: 'invitation' | 'sign_in';
  readonly secret_digest: Buffer;
  readonly expires_at: Date;
  readonly used_at: Date | null;
  readonly member_status: 'invited' | 'active' | 'removed';
}

/**
 * Whose link is this? Asked before a tenant is known, like a credential's look-up.
 *
 * @throws DomainError `unavailable`
 */
export async function findSignInLink(dataSource: DataSource, id: string): Promise<SignInLinkRow | undefined> {
  try {
    const rows: SignInLinkRow[] = await dataSource.query('SELECT * FROM perdure_sign_in_link($1)', [id]);
    return rows[0];
  } catch (error) {
    throw translatePostgresError(error);
  }
}
