import type * as OidcProvider from 'oidc-provider' with { 'resolution-mode': 'import' };

export type ProviderModule = typeof OidcProvider;
export type Provider = OidcProvider.Provider;

/**
 * The library is an ES module and these sources are not. On Node 20 it says on the console that it prefers Node 22, which
 * belongs into our log: whoever reads the process's output line by line reads JSON.
 */
export async function loadProvider(log: (message: string) => void): Promise<ProviderModule> {
  const output = globalThis.console;
  const { warn } = output;
  output.warn = (message: unknown) => log(String(message));
  try {
    return await import('oidc-provider');
  } finally {
    output.warn = warn;
  }
}
