import express, { type RequestHandler, type Router } from 'express';
import { GRANTABLE_SCOPES, SCOPE_PRESETS } from '@perdure/contracts';
import type { Addresses } from './addresses.js';
import { openToPages } from './open-to-pages.js';

const RESOURCE = '/.well-known/oauth-protected-resource';
const SERVER = '/.well-known/oauth-authorization-server';

/**
 * Protected resource metadata (RFC 9728) and authorization server metadata (RFC 8414), at the root and with the path
 * inserted. Any other path below these two is left to the application's 404: an answer of another issuer or resource
 * would be refused by clients anyway.
 *
 * @param readsDocuments whether clients may be known by a document; said to be so, they do not register instead
 */
export function wellKnownRoutes(addresses: Addresses, readsDocuments: boolean): Router {
  const routes = express.Router();
  const { basePath, resource } = addresses;
  const resourcePath = new URL(resource).pathname;
  // A proxy may have cut the base path off in front of us.
  const resourcePaths = ['', resourcePath, resourcePath.slice(basePath.length), '/mcp'];
  const describe = (document: object): RequestHandler[] => [
    openToPages('GET'),
    (_request, response) => void response.set('cache-control', 'public, max-age=300').json(document),
  ];
  routes.all(pathsOf(RESOURCE, resourcePaths), ...describe(resourceMetadata(addresses)));
  routes.all(pathsOf(SERVER, ['', basePath]), ...describe(serverMetadata(addresses, readsDocuments)));
  return routes;
}

const pathsOf = (prefix: string, paths: readonly string[]): string[] => [
  ...new Set(paths.filter((path) => path !== '/').map((path) => prefix + path)),
];

/** `scopes_supported` is what a client should ask for without further notice: what an agent needs, no more. */
const resourceMetadata = ({ resource, issuer }: Addresses) => ({
  resource,
  authorization_servers: [issuer],
  scopes_supported: SCOPE_PRESETS.agent,
  bearer_methods_supported: ['header'],
  resource_name: 'Perdure',
});

const serverMetadata = (addresses: Addresses, readsDocuments: boolean) => ({
  issuer: addresses.issuer,
  authorization_endpoint: addresses.authorizationEndpoint,
  token_endpoint: addresses.tokenEndpoint,
  registration_endpoint: addresses.registrationEndpoint,
  revocation_endpoint: addresses.revocationEndpoint,
  scopes_supported: GRANTABLE_SCOPES,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
  token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
  revocation_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: readsDocuments,
  protected_resources: [addresses.resource],
});
