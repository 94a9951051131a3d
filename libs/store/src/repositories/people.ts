import type { MemberRole } from '@perdure/contracts';
import type { DataSource } from 'typeorm';
import { lookUp } from '../look-up.js';

/** A session of the pages with its person, found before a tenant is known. */
export interface WebSessionRow {
  readonly workspace_id: string;
  readonly workspace_name: string;
  readonly workspace_status: string;
  readonly member_id: string;
  readonly member_role: MemberRole;
  readonly member_email: string | null;
  readonly actor_id: string;
  readonly actor_name: string;
  readonly secret_digest: Buffer;
  readonly created_at: Date;
  readonly seen_at: Date;
  readonly expires_at: Date;
}

/** A workspace of which somebody is a member, invited or active. */
export interface MembershipRow {
  readonly workspace_id: string;
  readonly workspace_slug: string;
  readonly workspace_name: string;
  readonly member_id: string;
}

/** Somebody whom an identity provider has identified. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
  /** Verified by the provider, else null. */
  readonly email: string | null;
}

/** A session that was not ended, of a member who was not removed. @throws DomainError `unavailable` */
export const findWebSession = async (dataSource: DataSource, id: string): Promise<WebSessionRow | undefined> =>
  (await lookUp<WebSessionRow>(dataSource, 'SELECT * FROM perdure_web_session($1)', [id]))[0];

/** Where they are members: by subject where one is linked, else by the address. @throws DomainError `unavailable` */
export const findMemberships = (
  dataSource: DataSource,
  { issuer, subject, email }: Identity,
): Promise<MembershipRow[]> =>
  lookUp<MembershipRow>(dataSource, 'SELECT * FROM perdure_memberships($1, $2, $3)', [issuer, subject, email]);

/** A tenant by its slug. @throws DomainError `unavailable` */
export const findWorkspaceNamed = async (
  dataSource: DataSource,
  slug: string,
): Promise<{ workspace_id: string; workspace_name: string } | undefined> =>
  (
    await lookUp<{ workspace_id: string; workspace_name: string }>(
      dataSource,
      'SELECT * FROM perdure_workspace_named($1)',
      [slug],
    )
  )[0];
