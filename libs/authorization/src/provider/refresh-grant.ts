import { mintToken } from '@perdure/operations';
import type { Artifact, OauthStore } from '@perdure/store';
import type { AdapterPayload, KoaContextWithOIDC } from 'oidc-provider' with { 'resolution-mode': 'import' };
import { artifactDigest } from './artifact-digest.js';
import { ACCESS_SECONDS, REFRESH_SECONDS, REUSE_SECONDS } from './lifetimes.js';
import type { ProviderModule } from './load-provider.js';
import { openAnswer, sealAnswer } from './sealed-answer.js';

interface RefreshOptions {
  readonly store: OauthStore;
  readonly errors: ProviderModule['errors'];
  readonly resource: string;
  readonly isResource: (spelling: string) => boolean;
  readonly endGrant: (credentialId: string) => Promise<void>;
}

/** What a client gets (RFC 6749 section 5.1). */
interface TokenAnswer {
  readonly access_token: string;
  readonly token_type: 'Bearer';
  readonly expires_in: number;
  readonly refresh_token: string;
  readonly scope: string;
}

export const REFRESH_PARAMETERS = ['refresh_token', 'scope', 'resource'];

/**
 * The refresh_token grant with rotation (RFC 9700 section 4.14.2) and a short window in which a used token gets the
 * answer of its first use again: the library's own would end the grant when two refreshes meet. Later use ends it here
 * too.
 */
export function refreshGrant(options: RefreshOptions): (ctx: KoaContextWithOIDC) => Promise<void> {
  const { store, errors } = options;
  return async (ctx) => {
    const presented = ctx.oidc.params?.['refresh_token'];
    if (typeof presented !== 'string') throw new errors.InvalidRequest("missing required parameter 'refresh_token'");
    const oldDigest = artifactDigest(presented);
    const found = await store.find('RefreshToken', oldDigest);
    const payload = found === null ? null : (JSON.parse(found.payload) as AdapterPayload); // written by the adapter
    const clientId = ctx.oidc.client?.clientId;
    if (payload === null || clientId === undefined || payload.clientId !== clientId)
      throw new errors.InvalidGrant('refresh token not found');
    refuseOtherResource(ctx, options);
    const next = successorOf(payload, scopeFor(ctx, payload, errors), options.resource);
    const sealed = sealAnswer(presented, JSON.stringify(next.answer));
    const result = await store.rotate({ ...next, oldDigest, clientId, reuseSeconds: REUSE_SECONDS, sealed });
    if (result.outcome === 'reused') await options.endGrant(result.credentialId);
    if (result.outcome === 'unknown' || result.outcome === 'reused')
      throw new errors.InvalidGrant('refresh token already used');
    ctx.body = result.outcome === 'repeated' ? JSON.parse(openAnswer(presented, result.answer)) : next.answer;
  };
}

/** A narrower scope may be asked for (RFC 6749 section 6); it narrows the access token, not the grant. */
function scopeFor(ctx: KoaContextWithOIDC, { scope = '' }: AdapterPayload, errors: ProviderModule['errors']): string {
  const asked = ctx.oidc.params?.['scope'];
  if (typeof asked !== 'string' || asked === '') return scope;
  const granted = scope.split(' ');
  const missing = asked.split(' ').find((one) => !granted.includes(one));
  if (missing !== undefined) throw new errors.InvalidScope('refresh token does not cover a requested scope', missing);
  return asked;
}

function refuseOtherResource(ctx: KoaContextWithOIDC, { errors, isResource }: RefreshOptions): void {
  const asked = [ctx.oidc.params?.['resource'] ?? []].flat();
  if (!asked.every((one) => typeof one === 'string' && isResource(one))) throw new errors.InvalidTarget();
}

function successorOf(payload: AdapterPayload, scope: string, resource: string) {
  const credentialId = payload.grantId ?? '';
  const now = Math.floor(Date.now() / 1000);
  const common = { accountId: payload.accountId, clientId: payload.clientId, grantId: credentialId, iat: now };
  const access = mintToken(credentialId, 'access').token;
  const refresh = mintToken(credentialId, 'refresh').token;
  const artifact = (kind: Artifact['kind'], token: string, rest: object, seconds: number): Artifact => ({
    kind,
    idDigest: artifactDigest(token),
    credentialId,
    payload: JSON.stringify({ ...rest, kind, exp: now + seconds }),
    scopes: kind === 'AccessToken' ? scope.split(' ') : null,
    audience: kind === 'AccessToken' ? resource : null,
    expiresAt: new Date((now + seconds) * 1000),
  });
  const { jti: _id, consumed: _used, ...family } = payload;
  const answer: TokenAnswer = {
    access_token: access,
    token_type: 'Bearer',
    expires_in: ACCESS_SECONDS,
    refresh_token: refresh,
    scope,
  };
  return {
    answer,
    accessToken: artifact(
      'AccessToken',
      access,
      { ...common, aud: resource, scope, gty: 'refresh_token' },
      ACCESS_SECONDS,
    ),
    refreshToken: artifact(
      'RefreshToken',
      refresh,
      { ...family, iat: now, rotations: (payload.rotations ?? 0) + 1 },
      REFRESH_SECONDS,
    ),
  };
}
