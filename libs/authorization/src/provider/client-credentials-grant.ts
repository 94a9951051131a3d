import type { Scope } from '@perdure/contracts';
import { mintToken } from '@perdure/operations';
import type { OauthStore } from '@perdure/store';
import type { KoaContextWithOIDC } from 'oidc-provider' with { 'resolution-mode': 'import' };
import { artifactDigest } from './artifact-digest.js';
import { ACCESS_SECONDS } from './lifetimes.js';
import type { ProviderModule } from './load-provider.js';

interface ClientCredentialsOptions {
  readonly store: OauthStore;
  readonly errors: ProviderModule['errors'];
  readonly resource: string;
  readonly isResource: (spelling: string) => boolean;
  readonly scopesOfCredential: (id: string) => Promise<readonly Scope[] | null>;
}

export const CLIENT_CREDENTIALS_PARAMETERS = ['scope', 'resource'];

/**
 * A short access token for a program that has an issued credential and no browser, a batch reporter above all: RFC 6749
 * section 4.4 with the credential as the client. Without a scope it gets all of the credential's.
 */
export function clientCredentialsGrant(options: ClientCredentialsOptions): (ctx: KoaContextWithOIDC) => Promise<void> {
  const { store, errors, resource, isResource } = options;
  return async (ctx) => {
    const credentialId = ctx.oidc.client?.clientId ?? '';
    const held = (await options.scopesOfCredential(credentialId)) ?? [];
    const { scope: asked, resource: target } = ctx.oidc.params ?? {};
    if (![target ?? []].flat().every((one) => typeof one === 'string' && isResource(one)))
      throw new errors.InvalidTarget();
    const scopes = typeof asked === 'string' && asked !== '' ? [...new Set(asked.split(' '))] : [...held];
    const missing = scopes.find((scope) => !held.some((one) => one === scope));
    if (missing !== undefined) throw new errors.InvalidScope('the credential does not have a requested scope', missing);
    const { token } = mintToken(credentialId, 'access');
    const now = Math.floor(Date.now() / 1000);
    const scope = scopes.join(' ');
    await store.put({
      kind: 'ClientCredentials',
      idDigest: artifactDigest(token),
      credentialId,
      payload: JSON.stringify({
        kind: 'ClientCredentials',
        clientId: credentialId,
        aud: resource,
        scope,
        iat: now,
        exp: now + ACCESS_SECONDS,
      }),
      scopes,
      audience: resource,
      expiresAt: new Date((now + ACCESS_SECONDS) * 1000),
    });
    ctx.body = { access_token: token, token_type: 'Bearer', expires_in: ACCESS_SECONDS, scope };
  };
}
