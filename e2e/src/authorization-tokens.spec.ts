import { catalogue } from '@perdure/contracts';
import { authorizationStack, type AuthorizationStack } from './testing/authorization-stack.js';
import type { Browser } from './testing/browser.js';
import { eventually } from './testing/eventually.js';
import { OauthClient, postForm, tokensIn } from './testing/oauth-client.js';

let stack: AuthorizationStack;
let issuer: string;
let ada: Browser;

beforeAll(async () => {
  stack = await authorizationStack();
  issuer = stack.gateway.url;
  ada = await stack.signedIn('member', 'ada');
});
afterAll(() => stack.close());

const connected = async (scope: string) => {
  const client = await OauthClient.register(issuer);
  return { client, tokens: tokensIn(await client.redeem(await client.approvedBy(ada, { scope }))) };
};

// cases/mcp: resource-as-configured, resource-slash, resource-origin
test.each(['/mcp', '/mcp/', '', '/'])('the resource may be spelled $BASE%s', async (path) => {
  const client = await OauthClient.register(issuer);
  const code = await client.approvedBy(ada, { resource: `${issuer}/mcp` });
  const tokens = tokensIn(await client.redeem(code, { resource: issuer + path }));
  expect((await stack.callTool(issuer, tokens.access_token, 'who_am_i')).status).toBe(200);
  tokensIn(await client.refresh(tokens.refresh_token, { resource: issuer + path }));
});

test('RFC 8707: a token made for one installation is refused by another', async () => {
  const { client, tokens } = await connected('projects:read');
  const elsewhere = await stack.start('mcp-gateway', { PERDURE_MCP_URL: 'https://other.example.com/mcp' });
  expect((await stack.callTool(elsewhere.url, tokens.access_token, 'who_am_i')).status).toBe(401);
  const other = await client.refresh(tokens.refresh_token, { resource: 'https://other.example.com/mcp' });
  expect(other).toMatchObject({ status: 400, body: { error: 'invalid_target' } });
});

test('RFC 6749 6: a refresh may ask for less, never for more, and takes nothing from the grant', async () => {
  const { client, tokens } = await connected('projects:read projects:write');
  const less = tokensIn(await client.refresh(tokens.refresh_token, { scope: 'projects:read' }));
  expect(less.scope).toBe('projects:read');
  expect((await stack.callTool(issuer, less.access_token, 'list_projects')).status).toBe(200);
  expect((await stack.callTool(issuer, less.access_token, 'create_project', { name: 'x' })).status).toBe(403);
  const more = await client.refresh(less.refresh_token, { scope: 'projects:read audit:read' });
  expect(more).toMatchObject({ status: 400, body: { error: 'invalid_scope' } });
  expect(tokensIn(await client.refresh(less.refresh_token)).scope).toBe('projects:read projects:write');
});

test('another verifier, another address, another client: no tokens', async () => {
  const client = await OauthClient.register(issuer);
  const attempts: Record<string, string>[] = [
    { code_verifier: 'x'.repeat(43) },
    { redirect_uri: 'http://127.0.0.1:50000/callback' },
  ];
  for (const attempt of attempts) {
    const code = await client.approvedBy(ada);
    expect(await client.redeem(code, attempt)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  }
  const thief = await OauthClient.register(issuer);
  const { tokens } = await connected('projects:read');
  expect(await thief.refresh(tokens.refresh_token)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  expect((await thief.revoke(tokens.refresh_token)).status).toBe(200);
  expect((await stack.callTool(issuer, tokens.access_token, 'who_am_i')).status).toBe(200);
});

test('a refresh token, a session and a link are no bearer tokens', async () => {
  const { tokens } = await connected('projects:read');
  const session = Object.entries(ada.cookiesFor(`${issuer}/account`)).find(([name]) => name.includes('session'))?.[1];
  for (const token of [tokens.refresh_token, session ?? '', await stack.invite('member', 'ivan')])
    expect((await stack.callTool(issuer, token, 'who_am_i')).status).toBe(401);
});

test('DESIGN 4: a missing scope is 403 insufficient_scope, through run_operation too; an issued credential gets a result', async () => {
  const { tokens } = await connected('projects:read');
  const asked = [
    await stack.callTool(issuer, tokens.access_token, 'create_project', { name: 'x' }),
    await stack.callTool(issuer, tokens.access_token, 'run_operation', { name: 'create_project', arguments: {} }),
  ];
  for (const answer of asked) {
    expect(answer.status).toBe(403);
    const challenge = answer.headers.get('www-authenticate') ?? '';
    expect(challenge).toMatch(
      /^Bearer error="insufficient_scope", scope="projects:read projects:write", resource_metadata="/,
    );
    expect(await answer.json()).toMatchObject({ id: 1, error: { data: { code: 'forbidden_scope' } } });
  }
  const auditor = await stack.workspace.actor('auditor', 'auditor');
  const answer = await stack.callTool(issuer, auditor.token, 'create_project', { name: 'x' });
  expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([200, null]);
  expect(await answer.json()).toMatchObject({ result: { isError: true } });
});

test('I4: whoever is removed or gets a smaller role takes their programs along', async () => {
  const bob = await stack.signedIn('member', 'bob');
  const client = await OauthClient.register(issuer);
  const tokens = tokensIn(await client.redeem(await client.approvedBy(bob)));
  const { items } = await stack.installation.call(catalogue.access.listMembers, stack.workspace.owner, {});
  const member_id = items.find(({ email }) => email === 'bob@example.com')?.id ?? '';
  await stack.installation.call(catalogue.access.changeMemberRole, stack.workspace.owner, {
    member_id,
    role: 'viewer',
  });
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const write = await stack.callTool(issuer, tokens.access_token, 'create_project', { name: 'x' });
  expect(write.status).toBe(403);
  await stack.installation.call(catalogue.access.removeMember, stack.workspace.owner, { member_id, reason: 'left' });
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  expect((await stack.callTool(issuer, tokens.access_token, 'who_am_i')).status).toBe(401);
  expect(await client.refresh(tokens.refresh_token)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  expect((await bob.open(`${issuer}/account`)).url).toContain('/sign-in');
});

test('I2: no token, code, cookie or link stands in the database or the logs', async () => {
  const { client, tokens } = await connected('projects:read');
  tokensIn(await client.refresh(tokens.refresh_token));
  const cookies = Object.values(ada.cookiesFor(`${issuer}/account`));
  const { rows } = await stack.admin.query<{ text: string }>(
    `SELECT string_agg(t::text, ' ') AS text FROM (
         SELECT to_jsonb(a)::text AS t FROM oauth_artifact a UNION ALL SELECT to_jsonb(s)::text FROM web_session s
         UNION ALL SELECT to_jsonb(l)::text FROM sign_in_link l UNION ALL SELECT to_jsonb(c)::text FROM credential c) AS all_rows`,
  );
  const seen = `${rows[0]?.text}${stack.gateway.log()}`;
  expect(seen.length).toBeGreaterThan(1_000);
  for (const secret of [tokens.access_token, tokens.refresh_token, ...cookies]) expect(seen).not.toContain(secret);
});

test('what has expired is swept away, clients that nobody was asked about with it', async () => {
  await stack.admin.query(
    `INSERT INTO oauth_client (id, metadata, created_at, used_at) VALUES
       ('idle', '{}', now() - interval '2 days', NULL), ('fresh', '{}', now(), NULL),
       ('used', '{}', now() - interval '99 days', now() - interval '89 days'),
       ('left', '{}', now() - interval '200 days', now() - interval '130 days')`,
  );
  await stack.admin.query(
    `INSERT INTO oauth_artifact (kind, id_digest, payload, expires_at)
     VALUES ('AuthorizationCode', sha256('over'), '{}', now() - interval '2 hours')`,
  );
  const another = await stack.start('mcp-gateway', { PERDURE_PUBLIC_URL: issuer, PERDURE_MCP_URL: `${issuer}/mcp` });
  await postForm(`${another.url}/oauth/token`, {});
  const left = async () => {
    const clients = await stack.admin.query<{ id: string }>(
      `SELECT id FROM oauth_client WHERE id IN ('idle', 'fresh', 'used', 'left') ORDER BY id`,
    );
    const codes = await stack.admin.query(`SELECT FROM oauth_artifact WHERE id_digest = sha256('over')`);
    return [clients.rows.map(({ id }) => id).join(' '), codes.rows.length];
  };
  await eventually('all of it is gone', async () => (await left())[1] === 0);
  expect(await left()).toEqual(['fresh used', 0]);
});

test('a body that is no form is refused without a stack', async () => {
  const answer = await fetch(`${issuer}/oauth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"grant_type":"authorization_code"}',
  });
  expect([answer.status, await answer.json()]).toMatchObject([400, { error: 'invalid_request' }]);
  const nothing = await postForm(`${issuer}/oauth/token`, {});
  expect(nothing).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
});
