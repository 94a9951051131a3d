import type { DataSource } from 'typeorm';
import { lookUp } from '../look-up.js';
import type { SqlValue } from '../transaction.js';

export type ArtifactKind =
  'AccessToken' | 'AuthorizationCode' | 'ClientCredentials' | 'Grant' | 'Interaction' | 'RefreshToken' | 'SignIn';

/** A code, token, grant or request under way. `idDigest`: SHA-256 of the value that its holder presents. */
export interface Artifact {
  readonly kind: ArtifactKind;
  readonly idDigest: Buffer;
  /** The credential it hangs on; null before somebody has approved. */
  readonly credentialId: string | null;
  /** JSON without the value itself. */
  readonly payload: string;
  readonly scopes: readonly string[] | null;
  readonly audience: string | null;
  readonly expiresAt: Date;
}

export interface AccessTokenRow {
  readonly credential_id: string;
  readonly scopes: string[];
  readonly audience: string | null;
  readonly expires_at: Date;
  /** Whether a person approved it on a consent page; else an issued credential fetched it. */
  readonly by_consent: boolean;
}

export interface Rotation {
  readonly oldDigest: Buffer;
  readonly clientId: string;
  /** How long a used token still gets the answer of its first use. */
  readonly reuseSeconds: number;
  /** That answer, sealed. */
  readonly sealed: Buffer;
  readonly refreshToken: Artifact;
  readonly accessToken: Artifact;
}

/**
 * `rotated`: the new tokens are stored. `repeated`: somebody was faster, here is the sealed answer. `reused`: used long
 * ago, so the token is in two hands. `unknown`: not there, of another client, expired or revoked.
 */
export type RotationOutcome =
  | { readonly outcome: 'rotated' | 'unknown' }
  | { readonly outcome: 'repeated'; readonly answer: Buffer }
  | { readonly outcome: 'reused'; readonly credentialId: string };

export interface GrantRow {
  readonly workspace_id: string;
  readonly actor_id: string;
  readonly revoked_at: Date | null;
}

/** An access token by its digest, for `authenticate`. @throws DomainError `unavailable` */
export async function findAccessToken(dataSource: DataSource, idDigest: Buffer): Promise<AccessTokenRow | undefined> {
  return (await lookUp<AccessTokenRow>(dataSource, 'SELECT * FROM perdure_access_token($1)', [idDigest]))[0];
}

/** What the authorization server keeps. Every method throws DomainError `unavailable` when the database does not answer. */
export interface OauthStore {
  put(artifact: Artifact): Promise<void>;
  find(kind: ArtifactKind, idDigest: Buffer): Promise<{ payload: string; consumedAt: Date | null } | null>;
  /** Whether this call was the one that used it up. */
  consume(kind: ArtifactKind, idDigest: Buffer): Promise<boolean>;
  destroy(kind: ArtifactKind, idDigest: Buffer): Promise<void>;
  rotate(rotation: Rotation): Promise<RotationOutcome>;
  findGrant(credentialId: string): Promise<GrantRow | undefined>;
  registerClient(id: string, metadata: string): Promise<void>;
  /** The metadata of a registered client as it was stored. */
  findClient(id: string): Promise<string | null>;
  markClientUsed(id: string): Promise<void>;
  /** Removes some of what has expired. */
  sweep(): Promise<void>;
}

export function createOauthStore(dataSource: DataSource): OauthStore {
  const rows = <Row>(sql: string, parameters: readonly SqlValue[] = []) => lookUp<Row>(dataSource, sql, parameters);
  const run = async (sql: string, parameters: readonly SqlValue[] = []) => void (await rows(sql, parameters));
  return {
    put: (artifact) => run('SELECT perdure_oauth_put($1, $2, $3, $4, $5, $6, $7)', valuesOf(artifact)),
    find: async (kind, idDigest) => {
      const [row] = await rows<{ payload: string; consumed_at: Date | null }>(
        'SELECT * FROM perdure_oauth_find($1, $2)',
        [kind, idDigest],
      );
      return row === undefined ? null : { payload: row.payload, consumedAt: row.consumed_at };
    },
    consume: async (kind, idDigest) => {
      const [row] = await rows<{ taken: boolean }>('SELECT perdure_oauth_consume($1, $2) AS taken', [kind, idDigest]);
      return row?.taken === true;
    },
    destroy: (kind, idDigest) => run('SELECT perdure_oauth_destroy($1, $2)', [kind, idDigest]),
    rotate: async (rotation) => outcomeOf(await rows<RotationRow>(ROTATE, rotationValues(rotation))),
    findGrant: async (credentialId) =>
      (await rows<GrantRow>('SELECT * FROM perdure_oauth_grant($1)', [credentialId]))[0],
    registerClient: (id, metadata) => run('SELECT perdure_oauth_register($1, $2)', [id, metadata]),
    findClient: async (id) => {
      const [row] = await rows<{ metadata: string | null }>('SELECT perdure_oauth_client($1) AS metadata', [id]);
      return row?.metadata ?? null;
    },
    markClientUsed: (id) => run('SELECT perdure_oauth_client_used($1)', [id]),
    sweep: () => run('SELECT perdure_oauth_sweep()'),
  };
}

const ROTATE = 'SELECT * FROM perdure_oauth_rotate($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)';

interface RotationRow {
  readonly outcome: 'rotated' | 'repeated' | 'reused' | 'unknown';
  readonly answer: Buffer | null;
  readonly grant_credential: string | null;
}

const valuesOf = (artifact: Artifact): SqlValue[] => [
  artifact.kind,
  artifact.idDigest,
  artifact.credentialId,
  artifact.payload,
  artifact.scopes,
  artifact.audience,
  artifact.expiresAt,
];

const rotationValues = ({
  oldDigest,
  clientId,
  reuseSeconds,
  sealed,
  refreshToken,
  accessToken,
}: Rotation): SqlValue[] => [
  oldDigest,
  clientId,
  reuseSeconds,
  sealed,
  refreshToken.idDigest,
  refreshToken.payload,
  refreshToken.expiresAt,
  accessToken.idDigest,
  accessToken.payload,
  accessToken.scopes,
  accessToken.audience,
  accessToken.expiresAt,
];

function outcomeOf([row]: readonly RotationRow[]): RotationOutcome {
  if (row?.outcome === 'repeated' && row.answer !== null) return { outcome: 'repeated', answer: row.answer };
  if (row?.outcome === 'reused' && row.grant_credential !== null)
    return { outcome: 'reused', credentialId: row.grant_credential };
  return { outcome: row?.outcome === 'rotated' ? 'rotated' : 'unknown' };
}
