import { ULID_PATTERN } from '@perdure/contracts';
import type { ArtifactKind, OauthStore } from '@perdure/store';
import type { Adapter, AdapterPayload } from 'oidc-provider' with { 'resolution-mode': 'import' };
import { artifactDigest } from './artifact-digest.js';

export interface ArtifactOptions {
  readonly kind: ArtifactKind;
  readonly store: OauthStore;
  /** Where a request goes on after consent; its last segment is the request's id, which is not stored. */
  readonly resumeUrl: (id: string) => string;
  /** Ends a grant whose code was used twice or whose token was revoked. */
  readonly endGrant: (credentialId: string) => Promise<void>;
  /** What the library answers with when a code is used twice. */
  readonly alreadyUsed: () => Error;
}

/**
 * Codes, tokens, grants and requests under way for oidc-provider. A grant's id is its credential's; what hangs on a
 * credential is not found once that has ended, so ending the credential is all there is to revoking.
 */
export function artifactAdapter({ kind, store, resumeUrl, endGrant, alreadyUsed }: ArtifactOptions): Adapter {
  return {
    upsert: (id, { jti: _id, returnTo: _url, ...payload }, expiresInSeconds = 0) =>
      store.put({
        kind,
        idDigest: artifactDigest(id),
        credentialId: credentialOf(kind, id, payload),
        payload: JSON.stringify(payload),
        scopes: payload.aud === undefined ? null : (payload.scope?.split(' ') ?? []),
        audience: typeof payload.aud === 'string' ? payload.aud : null,
        expiresAt: new Date(Date.now() + expiresInSeconds * 1000),
      }),
    find: async (id) => {
      const found = await store.find(kind, artifactDigest(id));
      if (found === null) return undefined;
      const payload = JSON.parse(found.payload) as AdapterPayload; // written by `upsert`
      if (kind === 'Interaction') payload.returnTo = resumeUrl(id);
      if (found.consumedAt !== null) payload.consumed = Math.floor(found.consumedAt.getTime() / 1000);
      return { ...payload, jti: id };
    },
    consume: async (id) => {
      if (!(await store.consume(kind, artifactDigest(id)))) throw alreadyUsed();
    },
    destroy: (id) => (kind === 'Grant' ? endGrant(id) : store.destroy(kind, artifactDigest(id))),
    revokeByGrantId: async () => undefined,
    findByUid: async () => undefined,
    findByUserCode: async () => undefined,
  };
}

function credentialOf(kind: ArtifactKind, id: string, { grantId, clientId }: AdapterPayload): string | null {
  if (kind === 'Grant') return id;
  if (kind === 'ClientCredentials') return clientId ?? null;
  return grantId !== undefined && ULID_PATTERN.test(grantId) ? grantId : null;
}

/**
 * The library's own sessions: none. Who is signed in is the pages' business, and every request for authorization is
 * asked about anew, so nothing would be read from them.
 */
export const noSessions: Adapter = {
  upsert: async () => undefined,
  find: async () => undefined,
  findByUid: async () => undefined,
  findByUserCode: async () => undefined,
  consume: async () => undefined,
  destroy: async () => undefined,
  revokeByGrantId: async () => undefined,
};
