/** Every address of the authorization server, from configuration alone: no header of a request has a say in them. */
export interface Addresses {
  /** RFC 8414 section 2, compared byte by byte by clients: no trailing slash. */
  readonly issuer: string;
  /** The path under which the installation stands, `` or `/perdure`. */
  readonly basePath: string;
  /** The protected resource (RFC 9728 section 2): the url that MCP clients connect to. */
  readonly resource: string;
  /** How clients spell it as well (RFC 8707): with a slash, by its origin, by the installation's address. */
  readonly resourceSpellings: readonly string[];
  /** Named in every challenge; answers with the metadata of the resource. */
  readonly resourceMetadataUrl: string;
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  readonly registrationEndpoint: string;
  readonly revocationEndpoint: string;
}

/** Where everything lies below the base path. */
export const PATHS = {
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  register: '/oauth/register',
  revoke: '/oauth/revoke',
  consent: '/oauth/consent',
  style: '/oauth/pages.css',
  signIn: '/sign-in',
  signInElsewhere: '/sign-in/oidc',
  signInCallback: '/sign-in/oidc/callback',
  signInWorkspace: '/sign-in/workspace',
  signOut: '/sign-out',
  account: '/account',
} as const;

/**
 * @param publicUrl where people reach the installation
 * @param mcpUrl where MCP clients reach its gateway
 */
export function addressesOf(publicUrl: string, mcpUrl: string): Addresses {
  const issuer = withoutSlash(publicUrl);
  const resource = withoutSlash(mcpUrl);
  const { origin, pathname } = new URL(resource);
  const spellings = [resource, issuer, origin].flatMap((spelling) => [spelling, `${spelling}/`]);
  return {
    issuer,
    basePath: pathOf(issuer),
    resource,
    resourceSpellings: [...new Set(spellings)],
    resourceMetadataUrl: `${origin}/.well-known/oauth-protected-resource${pathname === '/' ? '' : pathname}`,
    authorizationEndpoint: issuer + PATHS.authorize,
    tokenEndpoint: issuer + PATHS.token,
    registrationEndpoint: issuer + PATHS.register,
    revocationEndpoint: issuer + PATHS.revoke,
  };
}

/** Scheme, host and path; lower case and default port as URL has them. */
function withoutSlash(url: string): string {
  const { origin } = new URL(url);
  return origin + pathOf(url);
}

const pathOf = (url: string): string => new URL(url).pathname.replace(/\/+$/, '');
