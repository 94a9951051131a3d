import { authorizationStack, type AuthorizationStack } from './testing/authorization-stack.js';
import { OauthClient, tokensIn } from './testing/oauth-client.js';

let stack: AuthorizationStack;

beforeAll(async () => {
  stack = await authorizationStack();
});
afterAll(() => stack.close());

const whoAmI = async (token: string, url = stack.gateway.url) => {
  const answer = await stack.callTool(url, token, 'who_am_i');
  return { status: answer.status, body: (await answer.json()) as { result?: { structuredContent?: object } } };
};

test('I3: a client registers, a person approves once, and it calls tools as a credential of its own', async () => {
  const browser = await stack.signedIn('member', 'ada');
  const client = await OauthClient.register(stack.gateway.url, { client_name: 'Test Client' });
  const consent = await browser.open(client.authorizeUrl({ scope: 'projects:read decisions:write' }));
  expect(consent.status).toBe(200);
  for (const text of ['Test Client', 'unverified', 'this computer', 'acme', 'See projects', 'ada@example.com'])
    expect(consent.text).toContain(text);
  const answer = await browser.submit(consent, { decision: 'approve' }, '/oauth/consent/');
  const back = new URL(answer.url);
  expect(back.searchParams.get('state')).toBe(client.state);
  expect(back.searchParams.get('iss')).toBe(stack.gateway.url);
  const tokens = tokensIn(await client.redeem(back.searchParams.get('code') ?? ''));
  expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 900, scope: 'projects:read decisions:write' });
  const { body } = await whoAmI(tokens.access_token);
  expect(body.result?.structuredContent).toMatchObject({
    actor: { name: 'ada@example.com / Test Client', kind: 'agent' },
    scopes: ['projects:read', 'decisions:write'],
  });
});
