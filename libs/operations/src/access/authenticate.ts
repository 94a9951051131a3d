import { timingSafeEqual } from 'node:crypto';
import { type Authenticate, type Caller, type Scope, SCOPES } from '@perdure/contracts';
import { type CredentialRow, findCredential } from '@perdure/store';
import type { DataSource } from 'typeorm';
import { readToken } from './token.js';

/** How long a look-up is trusted: a revocation is effective within a second on every process (I2). */
const CACHE_MS = 800;
const CACHE_ENTRIES = 10_000;

interface Dependencies {
  readonly dataSource: DataSource;
  readonly clock: () => Date;
}

/**
 * Resolves bearer tokens through the one look-up that works before a tenant is known. Only successes are cached, by
 * the digest of the whole token; ids and digests are compared in constant time.
 */
export function createAuthenticate({ dataSource, clock }: Dependencies): Authenticate {
  const cache = new Map<string, { caller: Caller; until: number }>();
  return async (token) => {
    const read = readToken(token);
    if (read === null) return null;
    const now = clock().getTime();
    const cacheKey = read.secretDigest.toString('base64');
    const cached = cache.get(cacheKey);
    if (cached !== undefined && cached.until > Date.now())
      return isExpired(cached.caller.expiresAt, now) ? null : cached.caller;
    const row = await findCredential(dataSource, read.credentialId);
    if (row === undefined || !timingSafeEqual(row.secret_digest, read.secretDigest)) return null;
    const caller = toCaller(read.credentialId, row);
    if (row.revoked_at !== null || isExpired(caller.expiresAt, now)) {
      cache.delete(cacheKey);
      return null;
    }
    if (cache.size >= CACHE_ENTRIES) cache.clear();
    cache.set(cacheKey, { caller, until: Date.now() + CACHE_MS });
    return caller;
  };
}

const isExpired = (expiresAt: string | null, now: number): boolean =>
  expiresAt !== null && Date.parse(expiresAt) <= now;

const KNOWN_SCOPES: ReadonlySet<string> = new Set(SCOPES);
const isScope = (scope: string): scope is Scope => KNOWN_SCOPES.has(scope);

function toCaller(credentialId: string, row: CredentialRow): Caller {
  return {
    workspaceId: row.workspace_id,
    actor: { id: row.actor_id, name: row.actor_name, kind: row.actor_kind },
    scopes: new Set(row.scopes.filter(isScope)),
    credentialId,
    expiresAt: row.expires_at?.toISOString() ?? null,
  };
}
