import type * as OidcProvider from 'oidc-provider' with { 'resolution-mode': 'import' };

export type ProviderModule = typeof OidcProvider;
export type Provider = OidcProvider.Provider;

/**
 * The library is an ES module and these sources are not. Its note that it prefers Node 22 goes to our log: it is the
 * only line that it would write to the console on Node 20.
 */
export async function loadProvider(log: (message: string) => void): Promise<ProviderModule> {
  const warn = console.warn;
  console.warn = (message: unknown) => log(String(message));
  try {
    return await import('oidc-provider');
  } finally {
    console.warn = warn;
  }
}
