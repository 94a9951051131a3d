import { GRANTABLE_SCOPES, SCOPE_PRESETS } from '@perdure/contracts';

const KNOWN: ReadonlySet<string> = new Set(GRANTABLE_SCOPES);

/**
 * The query of an authorization request as the library is to see it. A resource in one of our spellings is left out, for
 * the default names them all; scopes that no program can get here (`openid`, `offline_access`, another server's) are
 * left out, and where none is left an agent's are asked for. Everything else stays as the client sent it.
 */
export function authorizeQuery(query: string, isResource: (spelling: string) => boolean): string {
  const parameters = new URLSearchParams(query);
  if (parameters.getAll('resource').every(isResource)) parameters.delete('resource');
  const asked = parameters.getAll('scope');
  // Given twice is an error that the library answers.
  if (asked.length < 2) parameters.set('scope', scopesOf(asked[0] ?? '').join(' '));
  return parameters.toString();
}

function scopesOf(asked: string): readonly string[] {
  const known = asked.split(' ').filter((scope) => KNOWN.has(scope));
  return known.length > 0 ? known : SCOPE_PRESETS.agent;
}
