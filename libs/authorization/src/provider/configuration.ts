import { generateKeyPairSync } from 'node:crypto';
import type { Adapter, Configuration, KoaContextWithOIDC } from 'oidc-provider' with { 'resolution-mode': 'import' };
import { SCOPES } from '@perdure/contracts';
import { PATHS, type Addresses } from '../addresses.js';
import { applyClientRules } from './client-rules.js';
import { interactionPolicy } from './interaction-policy.js';
import { ACCESS_SECONDS, CODE_SECONDS, GRANT_SECONDS, REFRESH_SECONDS, REQUEST_SECONDS } from './lifetimes.js';
import type { ProviderModule } from './load-provider.js';

export interface ConfigurationOptions {
  readonly addresses: Addresses;
  readonly cookieNames: { readonly interaction: string; readonly resume: string; readonly session: string };
  readonly adapter: (model: string) => Adapter;
  readonly fetchDocument: (url: string | URL, init: { signal?: AbortSignal | undefined }) => Promise<Response>;
  /** Shows what went wrong to the person in front of it, on a page of ours. */
  readonly showError: (ctx: KoaContextWithOIDC, error: { readonly error: string }) => void;
  readonly isResource: (spelling: string) => boolean;
  /** Whether clients may be known by a document (draft-ietf-oauth-client-id-metadata-document). */
  readonly readsDocuments: boolean;
}

const off = { enabled: false };

/** oidc-provider, cut down to what MCP authorization uses (2026-07-28, basic/authorization). */
export function providerConfiguration(module: ProviderModule, options: ConfigurationOptions): Configuration {
  const { addresses } = options;
  return {
    adapter: options.adapter,
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post'],
    clientBasedCORS: () => true,
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    cookies: {
      names: options.cookieNames,
      long: { httpOnly: true, sameSite: 'lax', path: `${addresses.basePath}/` },
      short: { httpOnly: true, sameSite: 'lax' },
    },
    expiresWithSession: () => false,
    extraClientMetadata: {
      // One property must be named for the rules to be asked; this one of RFC 7591 is kept with the rest.
      properties: ['software_id'],
      validator: (_ctx, _key, _value, metadata) => applyClientRules(metadata),
    },
    features: features(module, options),
    fetch: (url, init) =>
      options.fetchDocument(url instanceof Request ? url.url : url, { signal: init?.signal ?? undefined }),
    findAccount: (_ctx, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
    interactions: {
      policy: interactionPolicy(module),
      url: (_ctx, { uid }) => `${addresses.basePath}${PATHS.consent}/${uid}`,
    },
    issueRefreshToken: (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    jwks: { keys: [unusedKey()] },
    // An earlier yes is never found again: see the interaction policy.
    loadExistingGrant: async (ctx) => {
      const grantId = ctx.oidc.result?.consent?.grantId;
      return grantId === undefined ? undefined : ctx.oidc.provider.Grant.find(grantId);
    },
    pkce: { required: () => true },
    renderError: options.showError,
    responseTypes: ['code'],
    revokeGrantPolicy: () => true,
    routes: {
      authorization: PATHS.authorize,
      token: PATHS.token,
      registration: PATHS.register,
      revocation: PATHS.revoke,
    },
    // Ours are scopes of the resource; there is no OpenID scope, so no ID token is ever made.
    scopes: [],
    ttl: {
      AccessToken: ACCESS_SECONDS,
      AuthorizationCode: CODE_SECONDS,
      ClientCredentials: ACCESS_SECONDS,
      Grant: GRANT_SECONDS,
      Interaction: REQUEST_SECONDS,
      RefreshToken: REFRESH_SECONDS,
      Session: REQUEST_SECONDS,
    },
  };
}

function features(
  { errors }: ProviderModule,
  { addresses, isResource, readsDocuments }: ConfigurationOptions,
): Configuration['features'] {
  return {
    clientCredentials: { enabled: true },
    clientIdMetadataDocument: {
      enabled: readsDocuments,
      ack: 'draft-02',
      allowFetch: () => true,
      allowClient: () => true,
      cacheDuration: { min: 60, max: 3600 },
    },
    devInteractions: off,
    dPoP: off,
    pushedAuthorizationRequests: off,
    registration: { enabled: true, initialAccessToken: false, issueRegistrationAccessToken: false },
    resourceIndicators: {
      enabled: true,
      // The same resource under each of its spellings: a client may spell it otherwise when it fetches its tokens.
      defaultResource: (_ctx, _client, oneOf) =>
        oneOf === undefined ? [...addresses.resourceSpellings] : addresses.resource,
      getResourceServerInfo: (_ctx, spelling) => {
        if (!isResource(spelling)) throw new errors.InvalidTarget();
        return {
          scope: SCOPES.join(' '),
          audience: addresses.resource,
          accessTokenTTL: ACCESS_SECONDS,
          accessTokenFormat: 'opaque',
        };
      },
      useGrantedResource: () => true,
    },
    revocation: { enabled: true, allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId },
    rpInitiatedLogout: off,
    userinfo: off,
  };
}

/** The library wants a signing key; nothing of ours is signed, so it need not outlive the process. */
function unusedKey() {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig' };
}
