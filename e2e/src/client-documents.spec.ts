import type { TestApp } from '@perdure/testkit';
import { authorizationStack, type AuthorizationStack } from './testing/authorization-stack.js';
import type { Browser } from './testing/browser.js';
import { documentServer, type DocumentServer } from './testing/document-server.js';
import { OauthClient, REDIRECT_URI, tokensIn } from './testing/oauth-client.js';

let documents: DocumentServer;
let stack: AuthorizationStack;
let ada: Browser;

beforeAll(async () => {
  documents = await documentServer();
  stack = await authorizationStack({
    PERDURE_CLIENT_METADATA_HOSTS: `localhost:${documents.port}`,
    NODE_EXTRA_CA_CERTS: documents.caFile,
  });
  ada = await stack.signedIn('member', 'ada');
});
afterAll(async () => {
  await stack.close();
  await documents.close();
});

/** A document about a client, at an address of its own. */
function published(path: string, changes: Readonly<Record<string, unknown>> = {}): string {
  const clientId = `https://localhost:${documents.port}${path}`;
  const document = {
    client_id: clientId,
    client_name: 'Documented Client',
    redirect_uris: ['http://127.0.0.1/callback'],
    token_endpoint_auth_method: 'none',
    ...changes,
  };
  return documents.serve(path, { body: JSON.stringify(document) });
}

const known = (clientId: string, issuer = stack.gateway.url) => OauthClient.known(issuer, clientId);

test('I3: a client is known by the document at its id, and needs no registration', async () => {
  const client = known(published('/client.json'));
  const consent = await ada.open(client.authorizeUrl());
  expect(consent.text).toContain('Documented Client');
  expect(consent.text).toContain(`localhost:${documents.port}`);
  const tokens = tokensIn(await client.redeem(await client.approvedBy(ada)));
  expect((await stack.callTool(stack.gateway.url, tokens.access_token, 'who_am_i')).status).toBe(200);
  tokensIn(await client.refresh(tokens.refresh_token));
  expect(documents.requests().filter((path) => path === '/client.json')).toHaveLength(1);
});

test.each([
  // cases/mcp: cimd-mismatch
  ['another client_id', () => published('/mismatch.json', { client_id: 'https://localhost/other.json' })],
  [
    'a shared secret',
    () => published('/secret.json', { client_secret: 'x', token_endpoint_auth_method: 'client_secret_post' }),
  ],
  ['a redirect to a host over http', () => published('/http.json', { redirect_uris: ['http://example.com/callback'] })],
  ['what is no JSON', () => documents.serve('/text', { body: '<html>' })],
  ['a list', () => documents.serve('/list', { body: '[]' })],
  ['more than fits', () => published('/large.json', { client_name: 'x'.repeat(100_000) })],
  ['nothing', () => `https://localhost:${documents.port}/missing.json`],
  ['no end', () => documents.serve('/hanging.json', { body: '', hangs: true })],
  // cases/mcp: cimd-redirect
  [
    'a redirect elsewhere',
    () =>
      documents.serve('/moved', {
        status: 302,
        headers: { location: `https://localhost:${documents.port}/target` },
        body: '',
      }),
  ],
])('I3: a document with %s is refused on a page of ours', async (_name, publish) => {
  const page = await ada.open(known(publish()).authorizeUrl());
  expect([page.status, page.url.startsWith(REDIRECT_URI)]).toEqual([400, false]);
  expect(page.text).not.toMatch(/127\.0\.0\.1|localhost:\d+\/|ECONN/);
  expect(documents.requests()).not.toContain('/target');
});

test('I3: a document that failed is not asked for again at once', async () => {
  const client = known(`https://localhost:${documents.port}/gone.json`);
  for (let attempt = 0; attempt < 5; attempt += 1) await ada.open(client.authorizeUrl());
  expect(documents.requests().filter((path) => path === '/gone.json').length).toBe(1);
});

test('I3: where no document is to be fetched, programs are not told that they may be known by one', async () => {
  const closed = await stack.start('mcp-gateway', { PERDURE_CLIENT_METADATA_HOSTS: 'none' });
  const metadata = await (await fetch(`${closed.url}/.well-known/oauth-authorization-server`)).json();
  expect(metadata).toMatchObject({
    client_id_metadata_document_supported: false,
    registration_endpoint: `${closed.url}/oauth/register`,
  });
  const before = documents.connections();
  const page = await ada.open(known(published('/closed.json'), closed.url).authorizeUrl());
  expect([page.status, documents.connections()]).toEqual([400, before]);
});

describe('where no hosts are named', () => {
  let open: TestApp;

  beforeAll(async () => {
    open = await stack.start('mcp-gateway', { PERDURE_CLIENT_METADATA_HOSTS: '' });
  });

  test.each([
    'https://localhost:$PORT/client.json',
    'https://127.0.0.1:$PORT/client.json',
    'https://127.1:$PORT/client.json',
    'https://2130706433:$PORT/client.json',
    'https://0x7f000001:$PORT/client.json',
    'https://0177.0.0.1:$PORT/client.json',
    'https://[::1]:$PORT/client.json',
    'https://[::ffff:127.0.0.1]:$PORT/client.json',
    'https://[64:ff9b::7f00:1]:$PORT/client.json',
    'https://0.0.0.0:$PORT/client.json',
    'https://169.254.169.254/latest/meta-data',
    'https://[fd00:ec2::254]/latest/meta-data',
    'https://10.0.0.1/client.json',
    'https://192.168.0.1/client.json',
    'https://user@127.0.0.1:$PORT/client.json',
    'http://localhost:$PORT/client.json',
  ])('I3: %s is refused without a connection, and no address is named', async (pattern) => {
    const before = documents.connections();
    const clientId = pattern.replace('$PORT', String(documents.port));
    const page = await ada.open(known(clientId, open.url).authorizeUrl());
    expect([page.status, page.url.startsWith(open.url)]).toEqual([400, true]);
    expect(page.text).toContain('This program is not registered here');
    expect(page.text).not.toMatch(/127\.|169\.254|10\.0\.0|::1|ECONN|private/);
    expect(documents.connections()).toBe(before);
  });
});
