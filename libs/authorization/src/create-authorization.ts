import type { Scope } from '@perdure/contracts';
import { endMcpGrant, type Operations } from '@perdure/operations';
import { createOauthStore } from '@perdure/store';
import express, { type Router } from 'express';
import type { DataSource } from 'typeorm';
import type { Addresses } from './addresses.js';
import { PATHS } from './addresses.js';
import { createGuardedFetch } from './outbound/guarded-fetch.js';
import { rememberOutcomes } from './outbound/remember-outcomes.js';
import { STYLE } from './pages/style.js';
import { documentOf } from './pages/layout.js';
import { createProvider } from './provider/create-provider.js';
import { createSweeper } from './provider/sweeper.js';
import { createIdentityProvider, type IdentityProviderSettings } from './sign-in/identity-provider.js';
import { accountRoutes } from './web/account-routes.js';
import { consentRoutes } from './web/consent-routes.js';
import { cookiesOf } from './web/cookies.js';
import { elsewhereRoutes } from './web/elsewhere-routes.js';
import { errorPage } from './web/error-page.js';
import { oauthRoutes } from './web/oauth-routes.js';
import { setPageHeaders, styleUrl, type PageContext } from './web/page-context.js';
import { pageErrors } from './web/page-errors.js';
import { asPublicRequest } from './web/public-request.js';
import { signInRoutes } from './web/sign-in-routes.js';
import { wellKnownRoutes } from './well-known.js';

export interface AuthorizationOptions {
  readonly addresses: Addresses;
  /** Connected as `perdure_app`. */
  readonly dataSource: DataSource;
  readonly operations: Pick<Operations, 'authenticate' | 'callerOf'>;
  /** Hosts whose client metadata documents may be fetched; null: every public one. Empty: programs must register. */
  readonly clientHosts: readonly string[] | null;
  readonly identityProvider: IdentityProviderSettings | null;
  /** Told after a commit that recorded audit events. */
  readonly onCommitted: (workspaceId: string) => void;
  readonly log: {
    info(message: string): void;
    warn(fields: object, message: string): void;
    error(fields: object, message: string): void;
  };
  readonly clock?: () => Date;
}

/**
 * The authorization server and its pages as routes of an application. It keeps nothing in the process: whichever process
 * the public address leads to may serve any step.
 */
export async function createAuthorization(options: AuthorizationOptions): Promise<Router> {
  const { addresses, dataSource, log, clock = () => new Date() } = options;
  const cookies = cookiesOf(addresses);
  const context: PageContext = { addresses, cookies, dataSource, clock, onCommitted: options.onCommitted };
  const store = createOauthStore(dataSource);
  const readsDocuments = options.clientHosts === null || options.clientHosts.length > 0;
  const provider = await createProvider({
    addresses,
    store,
    cookieNames: { interaction: cookies.request, resume: cookies.resume, session: cookies.unused },
    readsDocuments,
    fetchDocument: rememberOutcomes(loggedFetch(options)),
    endGrant: async (credentialId, reason) => {
      const workspaceId = await endMcpGrant(dataSource, credentialId, reason, clock().toISOString());
      if (workspaceId !== null) options.onCommitted(workspaceId);
    },
    scopesOfCredential: (id) => scopesOf(options, id),
    credentialOf: (token) => issuedCredential(options, token),
    showError: (ctx, { error }) => {
      setPageHeaders(ctx.req, ctx.res);
      ctx.type = 'html';
      ctx.body = documentOf(errorPage(error), styleUrl(addresses));
    },
    log,
  });
  const asPublic = asPublicRequest(addresses);
  const sweeper = createSweeper(store.sweep, (error) => log.warn({ err: error }, 'expired tokens were not removed'));
  const noteAsked = (clientId: string) => store.markClientUsed(clientId);
  const elsewhere = options.identityProvider;
  const signIn = { ...context, elsewhere: elsewhere?.name ?? null };
  const routes = express.Router();
  routes.get(PATHS.style, (_request, response) => {
    response.set('cache-control', 'public, max-age=3600').type('css').send(STYLE);
  });
  routes.use(wellKnownRoutes(addresses, readsDocuments), oauthRoutes(provider, addresses, asPublic, sweeper));
  routes.use(consentRoutes({ ...context, provider, asPublic, noteAsked }), accountRoutes(context));
  routes.use(signInRoutes(signIn));
  if (elsewhere !== null) {
    const identityProvider = createIdentityProvider(elsewhere, addresses.issuer + PATHS.signInCallback);
    const onError = (error: unknown) => log.warn({ err: error }, 'a sign-in at the identity provider failed');
    routes.use(elsewhereRoutes({ ...signIn, identityProvider, settings: elsewhere, onError }));
  }
  routes.use(pageErrors(addresses));
  return routes;
}

/** An operator must see why a program cannot be connected: a name that is wrong, or no way out of this network. */
function loggedFetch({ clientHosts, log }: AuthorizationOptions): ReturnType<typeof createGuardedFetch> {
  const fetch = createGuardedFetch({ hosts: clientHosts });
  return async (url, init) => {
    try {
      return await fetch(url, init);
    } catch (error) {
      log.warn({ err: error, client: String(url) }, 'a client metadata document could not be fetched');
      throw error;
    }
  };
}

async function scopesOf({ operations }: AuthorizationOptions, id: string): Promise<readonly Scope[] | null> {
  const caller = await operations.callerOf(id);
  return caller === null ? null : [...caller.scopes].filter((scope) => scope !== 'platform:admin');
}

/** An access token is none: it could be spun out for ever. */
async function issuedCredential({ operations }: AuthorizationOptions, token: string): Promise<string | null> {
  if (token.startsWith('prd_access_')) return null;
  return (await operations.authenticate(token))?.credentialId ?? null;
}
