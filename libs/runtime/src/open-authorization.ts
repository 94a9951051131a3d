import { addressesOf, createAuthorization, type IdentityProviderSettings } from '@perdure/authorization';
import { SCOPE_PRESETS } from '@perdure/contracts';
import {
  clientMetadataHosts,
  oidcClientId,
  oidcClientSecret,
  oidcGroups,
  oidcGroupsClaim,
  oidcIssuer,
  oidcName,
  oidcScope,
  publicUrl,
  mcpUrl,
  type Challenge,
  type ConfigOf,
  type ProcessContext,
} from '@perdure/service';
import { installedMcpUrl } from './installed-mcp-url.js';
import type { OpenedOperations } from './open-operations.js';

/** What a process that authorizes clients and signs people in must be told. */
export const AUTHORIZATION_SETTINGS = {
  publicUrl: publicUrl(),
  mcpUrl: mcpUrl(),
  clientMetadataHosts: clientMetadataHosts(),
  oidcIssuer: oidcIssuer(),
  oidcClientId: oidcClientId(),
  oidcClientSecret: oidcClientSecret(),
  oidcScope: oidcScope(),
  oidcName: oidcName(),
  oidcGroupsClaim: oidcGroupsClaim(),
  oidcGroups: oidcGroups(),
};

export interface OpenedAuthorization {
  /** Metadata, OAuth endpoints and pages, to be mounted at the root. */
  readonly routes: Awaited<ReturnType<typeof createAuthorization>>;
  /** For those who come without a credential, and for those whose credential does not suffice. */
  readonly challenge: Challenge;
}

/**
 * MCP authorization over opened operations; null when the installation does not know its own address, for then it could
 * not name itself as an issuer. Throws when an identity provider is configured by half.
 */
export async function openAuthorization(
  { operations, dataSource, onCommitted }: OpenedOperations,
  config: ConfigOf<typeof AUTHORIZATION_SETTINGS>,
  { logger }: ProcessContext,
): Promise<OpenedAuthorization | null> {
  const mcp = installedMcpUrl(config);
  if (config.publicUrl === null || mcp === null) {
    logger.info('PERDURE_PUBLIC_URL is not set: no sign-in and no MCP authorization, issued credentials only');
    return null;
  }
  const addresses = addressesOf(config.publicUrl, mcp);
  if (isOpenHttp(addresses.issuer))
    logger.warn('PERDURE_PUBLIC_URL is plain http: cookies, codes and tokens can be read on the way');
  const routes = await createAuthorization({
    addresses,
    dataSource,
    operations,
    onCommitted: (workspaceId) => {
      // What was approved or revoked here is so at once in this process; in the others within a second.
      operations.accessChanges.lookNext();
      onCommitted(workspaceId);
    },
    clientHosts: config.clientMetadataHosts,
    identityProvider: identityProviderOf(config),
    log: {
      info: (message) => logger.info(message),
      warn: (fields, message) => logger.warn(fields, message),
      error: (fields, message) => logger.error(fields, message),
    },
  });
  const challenge = { resourceMetadataUrl: addresses.resourceMetadataUrl, scope: SCOPE_PRESETS.agent.join(' ') };
  return { routes, challenge };
}

function isOpenHttp(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && !['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}

function identityProviderOf(config: ConfigOf<typeof AUTHORIZATION_SETTINGS>): IdentityProviderSettings | null {
  const { oidcIssuer: issuer, oidcClientId: clientId } = config;
  if (issuer === null) return null;
  if (clientId === null) throw new Error('PERDURE_OIDC_ISSUER is set, so PERDURE_OIDC_CLIENT_ID must be too.');
  return {
    issuer,
    clientId,
    clientSecret: config.oidcClientSecret,
    scope: config.oidcScope,
    groupsClaim: config.oidcGroupsClaim,
    groupRules: config.oidcGroups,
    name: config.oidcName ?? new URL(issuer).host,
  };
}
