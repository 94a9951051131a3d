import { catalogue } from '@perdure/contracts';
import type { TestApp } from '@perdure/testkit';
import { Browser, type Fetch } from './testing/browser.js';
import { OauthClient, REDIRECT_URI, tokensIn } from './testing/oauth-client.js';
import { wholeStack, type WholeStack } from './testing/whole-stack.js';

/** What people and programs see: https, a host of its own and a path below it. */
const PUBLIC = 'https://tools.example.com/perdure';
const MCP = `${PUBLIC}/mcp`;

let stack: WholeStack;
let api: TestApp;
let gateway: TestApp;

beforeAll(async () => {
  stack = await wholeStack({
    env: { PERDURE_PUBLIC_URL: PUBLIC, PERDURE_API_URL: PUBLIC, PERDURE_MCP_URL: MCP, PERDURE_HTTP_HOST: '127.0.0.1' },
  });
  [api, gateway] = await Promise.all([stack.start('api'), stack.start('mcp-gateway')]);
});
afterAll(() => stack.close());

/**
 * A proxy that ends TLS, with one that cuts the path off and one that does not: MCP goes to the gateway, everything else
 * to the api. It forwards what a careless one would: headers that somebody outside made up.
 */
const proxy =
  (cutsPath: boolean): Fetch =>
  (url, init = {}) => {
    const { origin, pathname, search } = new URL(url);
    if (origin !== new URL(PUBLIC).origin) throw new Error(`this proxy does not serve ${url}`);
    const isMcp = pathname.startsWith('/perdure/mcp') || pathname.includes('oauth-protected-resource');
    const path = cutsPath ? pathname.replace(/^\/perdure\//, '/') : pathname;
    const headers = { ...headersOf(init), 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' };
    return fetch(`${isMcp ? gateway.url : api.url}${path}${search}`, { ...init, headers });
  };

const headersOf = ({ headers }: RequestInit) => Object.fromEntries(new Headers(headers));

describe.each([
  ['cuts the path off', proxy(true)],
  ['keeps the path', proxy(false)],
])('behind a TLS proxy that %s', (_name, reach) => {
  const json = async (url: string) => {
    const answer = await reach(url);
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }; // asserted on
  };

  test('RFC 9728, RFC 8414: metadata at the root and with the path inserted, as configured', async () => {
    const host = new URL(PUBLIC).origin;
    for (const path of ['/perdure/mcp', '']) {
      const { status, body } = await json(`${host}/.well-known/oauth-protected-resource${path}`);
      expect([status, body['resource'], body['authorization_servers']]).toEqual([200, MCP, [PUBLIC]]);
    }
    for (const path of ['/perdure', '']) {
      const { body } = await json(`${host}/.well-known/oauth-authorization-server${path}`);
      expect(body['issuer']).toBe(PUBLIC);
      for (const [name, value] of Object.entries(body)) {
        if (name.endsWith('_endpoint')) expect(String(value).startsWith(`${PUBLIC}/oauth/`)).toBe(true);
      }
    }
    const other = await json(`${host}/.well-known/oauth-protected-resource/perdure/other`);
    expect([other.status, other.body['error']]).toEqual([404, expect.objectContaining({ code: 'not_found' })]);
  });

  test('I3, I4: signing in, consent and tokens, every address the public one', async () => {
    const workspace = await stack.installation.workspace();
    const { invitation_url } = await stack.installation.call(catalogue.access.inviteMember, workspace.owner, {
      email: 'ada@example.com',
      role: 'member',
    });
    const token = new URL(invitation_url ?? '').searchParams.get('token');
    const browser = new Browser([REDIRECT_URI], reach);
    const account = await browser.submit(await browser.open(`${PUBLIC}/sign-in?token=${token}`));
    expect(account.url).toBe(`${PUBLIC}/account`);
    expect(account.text).toContain('href="/perdure/oauth/pages.css"');
    expect((await reach(`${PUBLIC}/oauth/pages.css`)).headers.get('content-type')).toContain('text/css');
    expect(Object.keys(browser.cookiesFor(PUBLIC)).sort()).toEqual(['__Host-perdure-form', '__Host-perdure-session']);

    const client = await OauthClient.register(PUBLIC, {}, reach);
    const consent = await browser.open(client.authorizeUrl({ resource: MCP }));
    expect(consent.url.startsWith(`${PUBLIC}/oauth/consent/`)).toBe(true);
    const answer = new URL((await browser.submit(consent, { decision: 'approve' }, '/oauth/consent/')).url);
    expect(answer.searchParams.get('iss')).toBe(PUBLIC);
    const tokens = tokensIn(await client.redeem(answer.searchParams.get('code') ?? '', { resource: MCP }));
    const called = await reach(MCP, {
      method: 'POST',
      headers: { authorization: `Bearer ${tokens.access_token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'who_am_i', arguments: {} },
      }),
    });
    expect(called.status).toBe(200);
    const refused = await reach(MCP, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' });
    expect(refused.headers.get('www-authenticate')).toContain(
      'resource_metadata="https://tools.example.com/.well-known/oauth-protected-resource/perdure/mcp"',
    );
  });

  test('every cookie is Secure, HttpOnly and SameSite=Lax', async () => {
    const client = await OauthClient.register(PUBLIC, {}, reach);
    const answers = [await reach(`${PUBLIC}/sign-in`), await reach(client.authorizeUrl(), { redirect: 'manual' })];
    const cookies = answers.flatMap((answer) => answer.headers.getSetCookie());
    expect(cookies.length).toBeGreaterThanOrEqual(3);
    for (const cookie of cookies) {
      expect(cookie).toMatch(/; ?secure/i);
      expect(cookie).toMatch(/; ?httponly/i);
      expect(cookie).toMatch(/; ?samesite=lax/i);
      expect(cookie).toMatch(/^__(Host|Secure)-/);
    }
  });
});
