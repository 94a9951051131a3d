/** Where the server is, and who asks. */
export interface PerdureConnection {
  /** Base of the API, such as `http://127.0.0.1:7400`: tRPC is at `/trpc` below it. */
  readonly url: string;
  /** A credential as `issue_credential` showed it once. */
  readonly token: string;
}

/**
 * The connection that `PERDURE_URL` and `PERDURE_TOKEN` name.
 *
 * @param environment `process.env`, handed in because a browser has none
 * @throws Error that names the variable and shows no value
 */
export function connectionFromEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
): PerdureConnection {
  const { PERDURE_URL: url = '', PERDURE_TOKEN: token = '' } = environment;
  const missing = [url === '' ? ['PERDURE_URL'] : [], token === '' ? ['PERDURE_TOKEN'] : []].flat();
  if (missing.length > 0)
    throw new Error(`${missing.join(' and ')} must be set: where Perdure is, and a credential for it.`);
  return { url: baseOf(url, 'PERDURE_URL'), token: requireToken(token, 'PERDURE_TOKEN') };
}

/** @throws Error unless it is a plain http(s) address; without the trailing slash */
export function baseOf(url: string, name = 'url'): string {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) throw new Error(`${name} is no http or https address.`);
  // A password in it would end up in messages; the credential is the token.
  if (parsed.username !== '' || parsed.password !== '') throw new Error(`${name} must hold no user and no password.`);
  if (parsed.search !== '' || parsed.hash !== '') throw new Error(`${name} must end with its path.`);
  return `${parsed.origin}${parsed.pathname}`.replace(/\/+$/, '');
}

/** @throws Error for what cannot stand in a header: `fetch` would print the whole value in its own error */
export function requireToken(token: string, name = 'token'): string {
  if (!/^[\x21-\x7e]+$/.test(token)) throw new Error(`${name} holds something that is no credential.`);
  return token;
}
