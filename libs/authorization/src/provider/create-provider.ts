import type { EventEmitter } from 'node:events';
import type { Scope } from '@perdure/contracts';
import { mintToken } from '@perdure/operations';
import type { ArtifactKind, OauthStore } from '@perdure/store';
import type { Adapter } from 'oidc-provider' with { 'resolution-mode': 'import' };
import type { Addresses } from '../addresses.js';
import { artifactAdapter, noSessions } from './artifact-adapter.js';
import { clientAdapter, isClientSecret } from './client-adapter.js';
import { CLIENT_CREDENTIALS_PARAMETERS, clientCredentialsGrant } from './client-credentials-grant.js';
import { providerConfiguration, type ConfigurationOptions } from './configuration.js';
import { loadProvider, type Provider, type ProviderModule } from './load-provider.js';
import { REFRESH_PARAMETERS, refreshGrant } from './refresh-grant.js';

export interface ProviderOptions extends Omit<ConfigurationOptions, 'adapter' | 'isResource'> {
  readonly store: OauthStore;
  readonly endGrant: (credentialId: string, reason: GrantEnd) => Promise<void>;
  readonly scopesOfCredential: (id: string) => Promise<readonly Scope[] | null>;
  /** The issued credential whose token this is. */
  readonly credentialOf: (token: string) => Promise<string | null>;
  readonly log: { info(message: string): void; error(fields: object, message: string): void };
}

/** Why a grant ended without anybody pressing a button. */
export type GrantEnd = 'code_reused' | 'refresh_token_reused' | 'revoked_by_client';

const ARTIFACTS: readonly ArtifactKind[] = [
  'AccessToken',
  'AuthorizationCode',
  'ClientCredentials',
  'Grant',
  'Interaction',
  'RefreshToken',
];

/** The authorization server of one process; any process may serve any step of a flow. */
export async function createProvider(options: ProviderOptions): Promise<Provider> {
  const { addresses, log } = options;
  const module = await loadProvider((message) => log.info(message));
  const isResource = resourceTest(addresses);
  const configuration = providerConfiguration(module, {
    ...options,
    isResource,
    adapter: (model) => adapterFor(model, module, options),
  });
  const provider = new module.Provider(addresses.issuer, configuration);
  provider.proxy = true;
  patchTokens(provider, options);
  const grantOptions = { ...options, errors: module.errors, resource: addresses.resource, isResource };
  const refresh = refreshGrant({ ...grantOptions, endGrant: (id) => options.endGrant(id, 'refresh_token_reused') });
  provider.registerGrantType('refresh_token', refresh, REFRESH_PARAMETERS, ['resource']);
  const machine = clientCredentialsGrant(grantOptions);
  provider.registerGrantType('client_credentials', machine, CLIENT_CREDENTIALS_PARAMETERS, ['resource']);
  provider.on('server_error', (_ctx, error) => log.error({ err: error }, 'the authorization server failed'));
  const application: EventEmitter = provider; // its types name the library's own events only
  application.on('error', (error: unknown) => log.error({ err: error }, 'the authorization server failed'));
  return provider;
}

/** A client may add a query (`?toolsets=core`) to the address it connects to; it is the same resource. */
export function resourceTest({ resourceSpellings }: Addresses): (spelling: string) => boolean {
  const known = new Set(resourceSpellings);
  return (spelling) => known.has(spelling.split('?')[0] ?? '');
}

function adapterFor(model: string, { errors, Provider: library }: ProviderModule, options: ProviderOptions): Adapter {
  const { store, addresses, endGrant } = options;
  if (model === 'Session') return noSessions;
  if (model === 'Client') {
    const tooLarge = () => new errors.InvalidClientMetadata('the client metadata is too large');
    return clientAdapter({ ...options, tooLarge });
  }
  const kind = ARTIFACTS.find((one) => one === model);
  if (kind === undefined) throw new Error(`the authorization server keeps no ${model}`);
  return artifactAdapter({
    kind,
    store,
    resumeUrl: (id) => `${addresses.authorizationEndpoint}/${id}`,
    endGrant: (id) => endGrant(id, library.ctx?.oidc.route === 'revocation' ? 'revoked_by_client' : 'code_reused'),
    alreadyUsed: () => new errors.InvalidGrant('authorization code already consumed'),
  });
}

/**
 * Tokens get our own form, which secret scanners know and whose checksum is looked at before any database is asked; and
 * a client's secret is compared with what is stored of it. The library has no option for either.
 */
function patchTokens(provider: Provider, { credentialOf }: ProviderOptions): void {
  const access = provider.AccessToken.prototype;
  Object.assign(access, {
    generateTokenId(this: { grantId?: string; format?: string }) {
      this.format = 'opaque';
      return mintToken(this.grantId ?? '', 'access').token;
    },
  });
  Object.assign(provider.RefreshToken.prototype, {
    generateTokenId(this: { grantId?: string }) {
      return mintToken(this.grantId ?? '', 'refresh').token;
    },
  });
  Object.assign(provider.Client.prototype, {
    compareClientSecret(this: { clientId: string; clientSecret?: string }, presented: string) {
      return isClientSecret(this, presented, credentialOf);
    },
  });
}
