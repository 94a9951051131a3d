import { authorizationStack, type AuthorizationStack } from './testing/authorization-stack.js';
import { Browser } from './testing/browser.js';
import { OauthClient, registration, REDIRECT_URI, tokensIn } from './testing/oauth-client.js';

let stack: AuthorizationStack;
let issuer: string;
let ada: Browser;

beforeAll(async () => {
  stack = await authorizationStack();
  issuer = stack.gateway.url;
  ada = await stack.signedIn('member', 'ada');
});
afterAll(() => stack.close());

/** An answer stands in the query, one to the implicit grant behind the hash. */
const answerIn = (url: string) => new URLSearchParams(url.split(/[?#]/)[1]);

describe('authorization requests', () => {
  test.each([
    ['I3: PKCE plain', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['I3: no PKCE', { code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request'],
    ['I3: the implicit grant', { response_type: 'token' }, 'unsupported_response_type'],
    ['RFC 8707: another resource', { resource: 'https://other.example.com/mcp' }, 'invalid_target'],
    ['RFC 9101: a request object', { request: 'eyJhbGciOiJub25lIn0.e30.' }, 'request_not_supported'],
  ])('%s is refused at the registered address, with iss (RFC 9207)', async (_name, parameters, error) => {
    const client = await OauthClient.register(issuer);
    const { url } = await ada.open(client.authorizeUrl(parameters));
    expect(url.startsWith(REDIRECT_URI)).toBe(true);
    const answer = answerIn(url);
    expect([answer.get('error'), answer.get('iss'), answer.get('state')]).toEqual([error, issuer, client.state]);
  });

  // cases/mcp: redirect-port-127, redirect-port-localhost
  test.each([
    ['http://127.0.0.1/callback', 'http://127.0.0.1:49152/callback'],
    ['http://localhost/callback', 'http://localhost:33418/callback'],
    ['http://[::1]/callback', 'http://[::1]:49152/callback'],
    ['http://127.0.0.1:1234/callback', 'http://127.0.0.1:4321/callback'],
    ['cursor://anysphere.cursor-retrieval/oauth/callback', 'cursor://anysphere.cursor-retrieval/oauth/callback'],
    ['https://claude.ai/api/mcp/auth_callback', 'https://claude.ai/api/mcp/auth_callback'],
  ])('RFC 8252: registered %s, %s is accepted', async (registered, used) => {
    const client = await OauthClient.register(issuer, { redirect_uris: [registered] });
    const browser = new Browser([used]);
    const page = await browser.open(client.authorizeUrl({ redirect_uri: used }));
    expect([page.status, new URL(page.url).pathname]).toEqual([200, '/sign-in']);
  });

  // cases/mcp: redirect-path-differs
  test.each([
    ['http://127.0.0.1/callback', 'http://127.0.0.1:49152/other'],
    ['http://127.0.0.1/callback', 'http://localhost:49152/callback'],
    ['http://127.0.0.1/callback', 'http://127.0.0.1.example.com/callback'],
    ['http://127.0.0.1/callback', 'http://127.0.0.1@example.com/callback'],
    ['http://127.0.0.1/callback', 'https://127.0.0.1/callback'],
    ['https://claude.ai/callback', 'https://claude.ai:8443/callback'],
    ['https://claude.ai/callback', 'https://claude.ai/callback/../evil'],
    ['https://claude.ai/callback', 'https://claude.ai/callback?x=1'],
    ['https://claude.ai/callback', 'https://evil.example/callback'],
  ])('RFC 9700 4.1.3: registered %s, %s gets a page of ours and no redirect', async (registered, used) => {
    const client = await OauthClient.register(issuer, { redirect_uris: [registered] });
    const page = await ada.open(client.authorizeUrl({ redirect_uri: used }));
    expect([page.status, page.url.startsWith(issuer)]).toEqual([400, true]);
    expect(page.text).toContain('The way back is not the registered one');
  });

  // cases/mcp: dcr-stale-client
  test('a client that was never registered gets a page in plain words, and JSON from the token endpoint', async () => {
    const stranger = OauthClient.known(issuer, 'nobody-knows-me');
    const page = await ada.open(stranger.authorizeUrl());
    expect([page.status, page.url.startsWith(issuer)]).toEqual([400, true]);
    expect(page.text).toContain('register again');
    expect(await stranger.redeem('whatever')).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
  });

  test('somebody else cannot finish a request, nor open its consent page', async () => {
    const client = await OauthClient.register(issuer);
    const consent = await ada.open(client.authorizeUrl());
    const eve = await stack.signedIn('member', 'eve');
    const hers = await eve.open(consent.url);
    expect(hers.status).toBe(400);
    expect(hers.text).toContain('not open any more');
    const resumed = await eve.open(`${issuer}/oauth/authorize/${new URL(consent.url).pathname.split('/').at(-1)}`);
    expect(resumed.status).toBe(400);
  });

  test('a consent form of another page, or without its proof, decides nothing', async () => {
    const client = await OauthClient.register(issuer);
    const consent = await ada.open(client.authorizeUrl());
    const cookie = Object.entries(ada.cookiesFor(consent.url))
      .map(([name, value]) => `${name}=${value}`)
      .join('; ');
    const guard = /name="guard" value="([^"]+)"/.exec(consent.text)?.[1] ?? '';
    const send = (fields: Record<string, string>, headers: Record<string, string>) =>
      fetch(consent.url, {
        method: 'POST',
        redirect: 'manual',
        headers: { cookie, ...headers },
        body: new URLSearchParams({ decision: 'approve', ...fields }),
      });
    expect((await send({}, {})).status).toBe(403);
    expect((await send({ guard: `${guard}x` }, {})).status).toBe(403);
    expect((await send({ guard }, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await send({ guard }, { origin: 'https://evil.example' })).status).toBe(403);
    expect((await send({ guard }, { 'sec-fetch-site': 'same-origin' })).status).toBe(303);
  });
});

describe('registration', () => {
  test.each([
    [
      'plain http to a host (cases/mcp: redirect-not-loopback-http)',
      { redirect_uris: ['http://example.com/callback'] },
    ],
    ['a script', { redirect_uris: ['javascript:alert(1)'] }],
    ['a fragment', { redirect_uris: ['https://example.com/callback#x'] }],
    ['nothing to redirect to', { redirect_uris: [] }],
    ['more than fits', { client_name: 'x'.repeat(9_000) }],
  ])('%s is refused', async (_name, metadata) => {
    const { status, body } = await registration(issuer, metadata);
    expect(status).toBe(400);
    expect(body['error']).toMatch(/^invalid_(client_metadata|redirect_uri)$/);
  });

  test('what a client wants to be is cut to what clients are here', async () => {
    const { status, body } = await registration(issuer, {
      application_type: 'web',
      grant_types: ['implicit', 'password', 'authorization_code'],
      response_types: ['token'],
      scope: 'openid platform:admin',
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      application_type: 'native',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    });
    expect(body).not.toHaveProperty('scope');
    expect(body).not.toHaveProperty('client_secret');
  });

  test('a confidential client gets a secret once; the database has its digest', async () => {
    const { body } = await registration(issuer, { token_endpoint_auth_method: 'client_secret_post' });
    const [clientId, secret] = [String(body['client_id']), String(body['client_secret'])];
    const { rows } = await stack.admin.query('SELECT metadata FROM oauth_client WHERE id = $1', [clientId]);
    expect(JSON.stringify(rows)).not.toContain(secret);
    const client = OauthClient.known(issuer, clientId);
    const code = await client.approvedBy(ada);
    expect(await client.redeem(code, { client_secret: 'wrong' })).toMatchObject({ status: 401 });
    tokensIn(await client.redeem(code, { client_secret: secret }));
  });
});
