import type { GroupRule } from '@perdure/service';
import type { Identity } from '@perdure/store';
import type * as OpenidClient from 'openid-client' with { 'resolution-mode': 'import' };

/** An OpenID provider of the operator's, at which people may sign in. */
export interface IdentityProviderSettings {
  readonly issuer: string;
  readonly clientId: string;
  /** Null: a public client; PKCE is used in either case. */
  readonly clientSecret: string | null;
  /** Asked for; some providers need one more before they say which groups somebody is in. */
  readonly scope: string;
  readonly groupsClaim: string;
  readonly groupRules: readonly GroupRule[];
  /** On the button. */
  readonly name: string;
}

/** What one attempt must be answered with (OpenID Connect Core, RFC 7636). */
export interface ElsewhereAttempt {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

export interface IdentifiedPerson {
  readonly identity: Identity;
  readonly groups: readonly string[];
}

export interface IdentityProvider {
  begin(): Promise<{ readonly url: string; readonly attempt: ElsewhereAttempt }>;
  /**
   * @param answer the address at which the browser came back
   * @throws Error when the answer is not the one to this attempt, or the provider refuses
   */
  finish(answer: URL, attempt: ElsewhereAttempt): Promise<IdentifiedPerson>;
}

export function createIdentityProvider(settings: IdentityProviderSettings, redirectUri: string): IdentityProvider {
  const discovered = onceItSucceeds(() => discover(settings));
  return {
    begin: async () => {
      const { client, configuration } = await discovered();
      const attempt = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier(),
      };
      const url = client.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: settings.scope,
        state: attempt.state,
        nonce: attempt.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(attempt.verifier),
        code_challenge_method: 'S256',
      });
      return { url: url.href, attempt };
    },
    finish: async (answer, { state, nonce, verifier }) => {
      const { client, configuration } = await discovered();
      const tokens = await client.authorizationCodeGrant(configuration, answer, {
        pkceCodeVerifier: verifier,
        expectedState: state,
        expectedNonce: nonce,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (claims === undefined) throw new Error('the identity provider sent no ID token');
      const hasUserInfo = configuration.serverMetadata().userinfo_endpoint !== undefined;
      const more = hasUserInfo ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub) : {};
      return personOf(settings, claims.sub, { ...more, ...claims });
    },
  };
}

function personOf(
  { issuer, groupsClaim }: IdentityProviderSettings,
  subject: string,
  claims: Readonly<Record<string, unknown>>,
): IdentifiedPerson {
  const { email, email_verified: verified } = claims;
  const groups = claims[groupsClaim];
  return {
    identity: { issuer, subject, email: typeof email === 'string' && verified === true ? email : null },
    groups: [groups].flat().filter((group) => typeof group === 'string'),
  };
}

async function discover({ issuer, clientId, clientSecret }: IdentityProviderSettings) {
  const client: typeof OpenidClient = await import('openid-client');
  const authentication = clientSecret === null ? client.None() : client.ClientSecretPost(clientSecret);
  // Plain http is for a provider on this machine; configuration refuses any other.
  const execute = issuer.startsWith('http:') ? [client.allowInsecureRequests] : [];
  const configuration = await client.discovery(new URL(issuer), clientId, undefined, authentication, { execute });
  return { client, configuration };
}

/** The first success is kept; a failure is tried again by the next who asks. */
function onceItSucceeds<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let kept: Promise<Result> | null = null;
  return () => {
    kept ??= work().catch((error: unknown) => {
      kept = null;
      throw error;
    });
    return kept;
  };
}
