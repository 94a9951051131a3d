import { createHash, randomBytes } from 'node:crypto';
import type { Answered, Browser, Fetch } from './browser.js';

export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly expires_in: number;
  readonly scope: string;
  readonly token_type: string;
}

export interface OauthAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

export const REDIRECT_URI = 'http://127.0.0.1:49152/callback';

/** What an MCP client does by itself: RFC 7591, RFC 7636, RFC 6749. */
export class OauthClient {
  readonly verifier = randomBytes(32).toString('base64url');
  readonly state = randomBytes(8).toString('hex');

  private constructor(
    readonly issuer: string,
    readonly clientId: string,
    readonly redirectUri: string,
    private readonly fetch: Fetch,
  ) {}

  static async register(
    issuer: string,
    metadata: Readonly<Record<string, unknown>> = {},
    by: Fetch = fetch,
  ): Promise<OauthClient> {
    const { status, body } = await registration(issuer, metadata, by);
    if (status !== 201) throw new Error(`registration was answered ${status}: ${JSON.stringify(body)}`);
    return new OauthClient(issuer, String(body['client_id']), REDIRECT_URI, by);
  }

  /** A client that is known by its address. */
  static known(issuer: string, clientId: string, redirectUri = REDIRECT_URI): OauthClient {
    return new OauthClient(issuer, clientId, redirectUri, fetch);
  }

  authorizeUrl(parameters: Readonly<Record<string, string | undefined>> = {}): string {
    const all = {
      response_type: 'code',
      client_id: this.clientId,
      redirect_uri: this.redirectUri,
      state: this.state,
      code_challenge: createHash('sha256').update(this.verifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...parameters,
    };
    const given = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
    return `${this.issuer}/oauth/authorize?${new URLSearchParams(given).toString()}`;
  }

  /** The person approves; the code is in the answer. */
  async approvedBy(browser: Browser, parameters: Readonly<Record<string, string | undefined>> = {}): Promise<string> {
    const consent = await browser.open(this.authorizeUrl(parameters));
    const answer = await browser.submit(consent, { decision: 'approve' }, '/oauth/consent/');
    return codeIn(answer);
  }

  redeem(code: string, parameters: Readonly<Record<string, string>> = {}): Promise<OauthAnswer> {
    return this.token({
      grant_type: 'authorization_code',
      code,
      redirect_uri: this.redirectUri,
      code_verifier: this.verifier,
      ...parameters,
    });
  }

  refresh(refreshToken: string, parameters: Readonly<Record<string, string>> = {}): Promise<OauthAnswer> {
    return this.token({ grant_type: 'refresh_token', refresh_token: refreshToken, ...parameters });
  }

  token(parameters: Readonly<Record<string, string>>): Promise<OauthAnswer> {
    return postForm(`${this.issuer}/oauth/token`, { client_id: this.clientId, ...parameters }, {}, this.fetch);
  }

  revoke(token: string): Promise<OauthAnswer> {
    return postForm(`${this.issuer}/oauth/revoke`, { client_id: this.clientId, token }, {}, this.fetch);
  }
}

export async function registration(
  issuer: string,
  metadata: Readonly<Record<string, unknown>>,
  by: Fetch = fetch,
): Promise<OauthAnswer> {
  const response = await by(`${issuer}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: 'Test Client',
      redirect_uris: ['http://127.0.0.1/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      ...metadata,
    }),
  });
  return { status: response.status, body: await bodyOf(response) };
}

export async function postForm(
  url: string,
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
  by: Fetch = fetch,
): Promise<OauthAnswer> {
  const response = await by(url, { method: 'POST', body: new URLSearchParams(fields), headers });
  return { status: response.status, body: await bodyOf(response) };
}

async function bodyOf(response: Response): Promise<OauthAnswer['body']> {
  const text = await response.text();
  return text === '' ? {} : (JSON.parse(text) as OauthAnswer['body']); // asserted on by the tests
}

function codeIn({ url, text }: Answered): string {
  const code = new URL(url).searchParams.get('code');
  if (code === null) throw new Error(`there is no code in ${url}: ${text.slice(0, 300)}`);
  return code;
}

export function tokensIn({ status, body }: OauthAnswer): Tokens {
  if (status !== 200) throw new Error(`the token endpoint answered ${status}: ${JSON.stringify(body)}`);
  return body as unknown as Tokens; // asserted on by the tests
}
