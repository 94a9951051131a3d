import { catalogue, SCOPE_PRESETS } from '@perdure/contracts';
import type { TestApp } from '@perdure/testkit';
import { authorizationStack, type AuthorizationStack } from './testing/authorization-stack.js';
import { Browser } from './testing/browser.js';
import { eventually } from './testing/eventually.js';
import { OauthClient, postForm, REDIRECT_URI, tokensIn, type Tokens } from './testing/oauth-client.js';

let stack: AuthorizationStack;
let second: TestApp;
let ada: Browser;

beforeAll(async () => {
  stack = await authorizationStack();
  // Another replica behind the same address.
  second = await stack.start('mcp-gateway', {
    PERDURE_PUBLIC_URL: stack.gateway.url,
    PERDURE_MCP_URL: `${stack.gateway.url}/mcp`,
  });
  ada = await stack.signedIn('member', 'ada');
});
afterAll(() => stack.close());

interface WhoAmI {
  readonly actor: { readonly id: string; readonly name: string; readonly kind: string };
  readonly scopes: readonly string[];
}

const call = (token: string, url = stack.gateway.url) => stack.callTool(url, token, 'who_am_i');

async function whoAmI(token: string, url?: string): Promise<WhoAmI> {
  const answer = await call(token, url);
  const body = (await answer.json()) as { result: { structuredContent: WhoAmI } }; // asserted on
  return body.result.structuredContent;
}

async function connected(scope?: string, browser: Browser = ada): Promise<{ client: OauthClient; tokens: Tokens }> {
  const client = await OauthClient.register(stack.gateway.url);
  return { client, tokens: tokensIn(await client.redeem(await client.approvedBy(browser, { scope }))) };
}

const credentials = async () =>
  (await stack.installation.call(catalogue.access.listCredentials, stack.workspace.owner, {})).items.filter(
    ({ via }) => via === 'mcp_authorization',
  );

const eventsOf = async (subjectId: string) =>
  (
    await stack.admin.query<{ type: string }>('SELECT type FROM audit_event WHERE subject_id = $1 ORDER BY event_id', [
      subjectId,
    ])
  ).rows.map(({ type }) => type);

test('I3: a client registers, a person approves once, and it calls tools as a credential of its own', async () => {
  const client = await OauthClient.register(stack.gateway.url, { client_name: 'Test Client' });
  const consent = await ada.open(client.authorizeUrl({ scope: 'projects:read decisions:write' }));
  expect(consent.status).toBe(200);
  for (const text of [
    'Test Client',
    'unverified',
    'this computer (127.0.0.1:49152)',
    'acme',
    'See projects',
    'ada@example.com',
  ])
    expect(consent.text).toContain(text);
  const answer = await ada.submit(consent, { decision: 'approve' }, '/oauth/consent/');
  const back = new URL(answer.url);
  expect(back.searchParams.get('state')).toBe(client.state);
  expect(back.searchParams.get('iss')).toBe(stack.gateway.url);
  const tokens = tokensIn(await client.redeem(back.searchParams.get('code') ?? ''));
  expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 900, scope: 'projects:read decisions:write' });
  expect(await whoAmI(tokens.access_token)).toMatchObject({
    actor: { name: 'ada@example.com / Test Client', kind: 'agent' },
    scopes: ['projects:read', 'decisions:write'],
  });
  expect(await whoAmI(tokens.access_token, second.url)).toMatchObject({ scopes: ['projects:read', 'decisions:write'] });
});

test('I3: a client that names no scope gets what an agent needs, and no more than its person has', async () => {
  const { tokens } = await connected();
  expect(tokens.scope.split(' ').sort()).toEqual([...SCOPE_PRESETS.agent].sort());
  const viewer = await stack.signedIn('viewer', 'vera');
  const { tokens: reading } = await connected(undefined, viewer);
  expect(reading.scope.split(' ').every((scope) => scope.endsWith(':read'))).toBe(true);
});

test('I3, L2, L3: no consent hands out the measuring of a loop, its limits or the platform', async () => {
  const owner = await stack.signedIn('admin', 'olga');
  const { tokens } = await connected('loop:read loop:measure loop:admin platform:admin openid offline_access', owner);
  expect(tokens.scope).toBe('loop:read');
});

test('I4: one sign-in serves api and gateway of a stack, whatever their ports', async () => {
  const api = await stack.start('api', { PERDURE_MCP_URL: `${stack.gateway.url}/mcp` });
  const browser = new Browser([REDIRECT_URI]);
  await browser.submit(await browser.open(`${api.url}/sign-in?token=${await stack.invite('member', 'wim')}`));
  const { tokens } = await connected('projects:read', browser);
  expect((await whoAmI(tokens.access_token)).actor.name).toBe('wim@example.com / Test Client');
  expect((await browser.open(`${api.url}/account`)).text).toContain('Test Client');
  // The bare address is the account of whoever is signed in.
  expect((await browser.open(api.url)).text).toContain('Test Client');
});

test('S1: approving again is a new credential of the same actor', async () => {
  const [one, two] = [await connected(), await connected()];
  const [first, again] = [await whoAmI(one.tokens.access_token), await whoAmI(two.tokens.access_token)];
  expect(again.actor).toEqual(first.actor);
  const other = await OauthClient.register(stack.gateway.url, { client_name: 'Another Client' });
  const tokens = tokensIn(await other.redeem(await other.approvedBy(ada)));
  expect((await whoAmI(tokens.access_token)).actor.id).not.toBe(first.actor.id);
});

test('I3: denying grants nothing and tells the client so', async () => {
  const before = (await credentials()).length;
  const client = await OauthClient.register(stack.gateway.url);
  const answer = await ada.submit(await ada.open(client.authorizeUrl()), { decision: 'deny' }, '/oauth/consent/');
  const { searchParams } = new URL(answer.url);
  expect([searchParams.get('error'), searchParams.get('state'), searchParams.get('code')]).toEqual([
    'access_denied',
    client.state,
    null,
  ]);
  expect(searchParams.get('iss')).toBe(stack.gateway.url);
  expect((await credentials()).length).toBe(before);
});

test('I3: every grant is listed, and revoking it is felt by every process within a second', async () => {
  const { client, tokens } = await connected('projects:read');
  const [newest] = await credentials();
  expect(newest).toMatchObject({ scopes: ['projects:read'], via: 'mcp_authorization', revoked_at: null });
  const urls = [stack.gateway.url, second.url];
  for (const url of urls) expect((await call(tokens.access_token, url)).status).toBe(200);
  await stack.installation.call(catalogue.access.revokeCredential, stack.workspace.owner, {
    credential_id: newest?.id ?? '',
    reason: 'lost laptop',
  });
  const revokedAt = performance.now();
  await new Promise((resolve) => setTimeout(resolve, 1_000 - (performance.now() - revokedAt)));
  for (const url of urls) expect((await call(tokens.access_token, url)).status).toBe(401);
  expect(await client.refresh(tokens.refresh_token)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
});

test('refresh-five-at-once, I3: five refreshes at once, at two processes, all succeed with one new pair', async () => {
  const { client, tokens } = await connected();
  const elsewhere = OauthClient.known(second.url, client.clientId);
  const answers = await Promise.all(
    [client, elsewhere, client, elsewhere, client].map((one) => one.refresh(tokens.refresh_token)),
  );
  const pairs = answers.map((answer) => tokensIn(answer));
  expect(new Set(pairs.map(({ access_token, refresh_token }) => `${access_token} ${refresh_token}`)).size).toBe(1);
  expect(await whoAmI(pairs[0]?.access_token ?? '')).toBeDefined();
  const [live] = pairs;
  expect(tokensIn(await client.refresh(live?.refresh_token ?? '')).access_token).not.toBe(live?.access_token);
});

test('refresh-replay-late, I3: a refresh token used again after the window ends the grant, with one event', async () => {
  const { client, tokens } = await connected();
  const next = tokensIn(await client.refresh(tokens.refresh_token));
  await stack.admin.query(
    `UPDATE oauth_artifact SET consumed_at = consumed_at - interval '31 s' WHERE consumed_at IS NOT NULL`,
  );
  const [{ id } = { id: '' }] = await credentials();
  const replays = await Promise.all([1, 2, 3].map(() => client.refresh(tokens.refresh_token)));
  for (const replay of replays) expect(replay).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  expect(await client.refresh(next.refresh_token)).toMatchObject({ status: 400 });
  await eventually(
    'the access token of the family is refused',
    async () => (await call(next.access_token)).status === 401,
  );
  expect((await eventsOf(id)).filter((type) => type === 'credential.revoked')).toHaveLength(1);
});

test('I3: a code works once, and a second use ends what it had granted', async () => {
  const client = await OauthClient.register(stack.gateway.url);
  const code = await client.approvedBy(ada);
  const answers = await Promise.all([client.redeem(code), client.redeem(code), client.redeem(code)]);
  expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
  expect(await client.redeem(code)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  const [winner] = answers.filter(({ status }) => status === 200);
  if (winner !== undefined)
    await eventually('its token is refused', async () => (await call(tokensIn(winner).access_token)).status === 401);
});

test('I3: a client hands a token back (RFC 7009), and its grant ends', async () => {
  const { client, tokens } = await connected();
  const [{ id } = { id: '' }] = await credentials();
  expect((await client.revoke(tokens.refresh_token)).status).toBe(200);
  expect((await client.revoke('prd_refresh_unknown')).status).toBe(200);
  await eventually('the access token is refused', async () => (await call(tokens.access_token)).status === 401);
  expect((await eventsOf(id)).filter((type) => type === 'credential.revoked')).toHaveLength(1);
});

test('I3: a batch reporter with an issued credential fetches short tokens, which end with it', async () => {
  const { caller, token } = await stack.workspace.actor('nightly', 'reporter');
  const asClient = { client_id: caller.credentialId, client_secret: token };
  const url = `${stack.gateway.url}/oauth/token`;
  const grant = { grant_type: 'client_credentials', ...asClient };
  const tokens = tokensIn(await postForm(url, grant));
  expect(tokens).toMatchObject({ scope: 'usage:write', expires_in: 900 });
  expect(await whoAmI(tokens.access_token)).toMatchObject({ actor: { name: 'nightly' }, scopes: ['usage:write'] });
  const basic = Buffer.from(`${caller.credentialId}:${token}`).toString('base64');
  expect((await postForm(url, { grant_type: 'client_credentials' }, { authorization: `Basic ${basic}` })).status).toBe(
    200,
  );
  expect(await postForm(url, { ...grant, scope: 'audit:read' })).toMatchObject({
    status: 400,
    body: { error: 'invalid_scope' },
  });
  // An access token is no secret to fetch more with.
  const spun = { ...grant, client_secret: tokens.access_token };
  expect(await postForm(url, spun)).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
  await stack.installation.call(catalogue.access.revokeCredential, stack.workspace.owner, {
    credential_id: caller.credentialId,
    reason: 'retired',
  });
  await eventually('its token is refused', async () => (await call(tokens.access_token)).status === 401);
  expect(await postForm(url, grant)).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
});
