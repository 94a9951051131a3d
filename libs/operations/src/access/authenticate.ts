import { timingSafeEqual } from 'node:crypto';
import { type Authenticate, type Caller, ROLE_SCOPES, type Scope, SCOPES } from '@perdure/contracts';
import type { CredentialRow } from '@perdure/store';
import type { AccessTokenCache } from './access-token-cache.js';
import type { CredentialCache } from './credential-cache.js';
import type { LastUses } from './last-uses.js';
import { type ReadToken, readToken } from './token.js';

interface Dependencies {
  readonly credentials: CredentialCache;
  readonly accessTokens: AccessTokenCache;
  readonly lastUses: LastUses;
  readonly clock: () => Date;
  /** What access tokens must have been made for (RFC 8707): this installation's MCP address. Null: none is taken. */
  readonly audience: string | null;
}

/** No credential has it: what a secret is compared with when its id is unknown, so that both take the same time. */
const NO_DIGEST = Buffer.alloc(32);

/**
 * Resolves bearer tokens, both those that are issued and the access tokens of MCP authorization; a link, a cookie or a
 * refresh token is none. Secrets are compared by their digests in constant time, the one before a rotation too.
 */
export function createAuthenticate(dependencies: Dependencies): Authenticate {
  const { credentials, lastUses, clock } = dependencies;
  return async (token) => {
    const read = readToken(token);
    if (read === null || read.kind === 'link' || read.kind === 'session' || read.kind === 'refresh') return null;
    const row = await credentials.find(read.id);
    const now = clock();
    const caller =
      read.kind === 'access' ? await callerOfAccessToken(dependencies, read, row, now) : callerOfSecret(read, row, now);
    if (caller !== null) lastUses.note(read.id, now);
    return caller;
  };
}

function callerOfSecret({ id, secretDigest }: ReadToken, row: CredentialRow | null, now: Date): Caller | null {
  if (!hasSecret(row, secretDigest, now) || row === null) return null;
  return callerOfCredential(id, row, now);
}

/** Its credential's caller, with what this token may do of it, for as long as it lasts. */
async function callerOfAccessToken(
  { accessTokens, audience }: Dependencies,
  { id, secretDigest }: ReadToken,
  row: CredentialRow | null,
  now: Date,
): Promise<Caller | null> {
  const caller = row === null ? null : callerOfCredential(id, row, now);
  const token = caller === null ? null : await accessTokens.find(secretDigest);
  if (caller === null || token === null || token.credential_id !== id) return null;
  if (token.audience === null || token.audience !== audience || token.expires_at <= now) return null;
  return {
    ...caller,
    scopes: new Set([...caller.scopes].filter((scope) => token.scopes.includes(scope))),
    expiresAt: token.expires_at.toISOString(),
    ...(token.by_consent ? { via: 'mcp_authorization' as const } : {}),
  };
}

function hasSecret(row: CredentialRow | null, digest: Buffer, now: Date): boolean {
  const isCurrent = timingSafeEqual(row?.secret_digest ?? NO_DIGEST, digest);
  const isPrevious = timingSafeEqual(row?.previous_secret_digest ?? NO_DIGEST, digest);
  const until = row?.previous_expires_at ?? null;
  const overlaps = until !== null && until > now;
  return row !== null && (isCurrent || (isPrevious && overlaps));
}

/**
 * The caller for whom a credential stands at an instant; null when it is revoked or expired, or its member is gone. A
 * member's credential never does more than their role allows today.
 */
export function callerOfCredential(credentialId: string, row: CredentialRow, now: Date): Caller | null {
  if (row.revoked_at !== null || (row.expires_at !== null && row.expires_at <= now)) return null;
  const member = memberOf(row);
  if (row.member_id !== null && member === null) return null;
  const allowed: ReadonlySet<string> = new Set(member === null ? SCOPES : ROLE_SCOPES[member.role]);
  return {
    workspaceId: row.workspace_id,
    actor: { id: row.actor_id, name: row.actor_name, kind: row.actor_kind },
    scopes: new Set(row.scopes.filter((scope): scope is Scope => allowed.has(scope))),
    credentialId,
    expiresAt: row.expires_at?.toISOString() ?? null,
    ...(member === null ? {} : { member }),
    ...(row.requests_per_minute === null ? {} : { requestsPerMinute: row.requests_per_minute }),
  };
}

const memberOf = ({ member_id: id, member_role: role, member_status }: CredentialRow) =>
  id === null || role === null || member_status !== 'active' ? null : { id, role };
