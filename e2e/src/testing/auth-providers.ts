import type { OAuthClientProvider } from '@modelcontextprotocol/client';
import { REDIRECT_URI } from './oauth-client.js';

interface Memory {
  client?: Parameters<NonNullable<OAuthClientProvider['saveClientInformation']>>[0];
  tokens?: Parameters<OAuthClientProvider['saveTokens']>[0];
  verifier?: string;
  discovered?: Parameters<NonNullable<OAuthClientProvider['saveDiscoveryState']>>[0];
  /** Where the person was sent. */
  asked: URL[];
}

/** What an application gives the official client so that it can authorize itself; both generations take it. */
export function authProvider(): OAuthClientProvider & { memory: Memory } {
  const memory: Memory = { asked: [] };
  return {
    memory,
    redirectUrl: REDIRECT_URI,
    clientMetadata: {
      client_name: 'Official Client',
      redirect_uris: [REDIRECT_URI],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    clientInformation: () => memory.client,
    saveClientInformation: (client) => void (memory.client = client),
    tokens: () => memory.tokens,
    saveTokens: (tokens) => void (memory.tokens = tokens),
    redirectToAuthorization: (url) => void memory.asked.push(url),
    saveCodeVerifier: (verifier) => void (memory.verifier = verifier),
    codeVerifier: () => memory.verifier ?? '',
    discoveryState: () => memory.discovered,
    saveDiscoveryState: (discovered) => void (memory.discovered = discovered),
  };
}
