import { loopbackHostNames } from '@perdure/service';
import { startGateway, type TestGateway } from './testing/gateway.js';
import { clientHeaders, legacyMessage, send } from './testing/mcp-request.js';

const TOOLS = 'https://tools.example.com';

let onLoopback: TestGateway;
let onNetwork: TestGateway;

beforeAll(async () => {
  onLoopback = await startGateway({ allowedOrigins: [TOOLS] });
  onNetwork = await startGateway({ allowedOrigins: [TOOLS], hostNames: null });
});

afterAll(() => Promise.all([onLoopback.close(), onNetwork.close()]));

const statusFor = async (gateway: TestGateway, headers: Record<string, string>) =>
  (await send(gateway, { headers: { ...clientHeaders(), ...headers }, body: legacyMessage('tools/list') })).status;

test.each([
  ['http://evil.example', 403, 403],
  ['null', 403, 403],
  ['https://tools.example.com.evil.example', 403, 403],
  ['http://tools.example.com', 403, 403],
  [TOOLS, 200, 200],
  ['http://localhost:6274', 200, 403],
  ['http://127.0.0.1:9', 200, 403],
])('G6: a page of %s gets %i on loopback and %i on a network', async (origin, loopback, network) => {
  expect(await statusFor(onLoopback, { origin })).toBe(loopback);
  expect(await statusFor(onNetwork, { origin })).toBe(network);
});

test.each([
  ['evil.example', 403],
  ['evil.example:80', 403],
  ['127.0.0.1.evil.example', 403],
  ['localhost:1', 200],
  ['[::1]:1', 200],
])('G6: Host %s on loopback gets %i', async (host, status) => {
  expect(await statusFor(onLoopback, { host })).toBe(status);
});

test('G6: a rebound page is refused before its credential is looked at, and told nothing', async () => {
  const answer = await send(onLoopback, {
    headers: { host: 'evil.example', origin: 'http://evil.example' },
    body: '{}',
  });
  expect(answer.status).toBe(403);
  expect(answer.json).toMatchObject({ id: null, error: { data: { kind: 'forbidden' } } });
  expect(answer.headers['access-control-allow-origin']).toBeUndefined();
});

test('G6: a network gateway goes by any name', async () => {
  expect(await statusFor(onNetwork, { host: 'perdure.example.com' })).toBe(200);
});

test('G6: a preflight is answered without a credential, for allowed origins alone', async () => {
  const headers = { origin: TOOLS, 'access-control-request-method': 'POST' };
  const allowed = await send(onLoopback, { method: 'OPTIONS', headers });
  expect(allowed.status).toBe(204);
  expect(allowed.headers).toMatchObject({
    'access-control-allow-origin': TOOLS,
    'access-control-allow-headers': expect.stringMatching(/authorization.*mcp-protocol-version.*mcp-method.*mcp-name/i),
    'access-control-max-age': '600',
    vary: expect.stringContaining('Origin'),
  });
  expect(allowed.headers['access-control-allow-credentials']).toBeUndefined();
  const refused = await send(onLoopback, {
    method: 'OPTIONS',
    headers: { ...headers, origin: 'https://evil.example' },
  });
  expect(refused.status).toBe(403);
});

test('G6: a page can read the challenge of a 401', async () => {
  const answer = await send(onLoopback, { headers: { origin: TOOLS, 'content-type': 'application/json' }, body: '{}' });
  expect(answer.status).toBe(401);
  expect(answer.headers['access-control-expose-headers']).toMatch(/www-authenticate/i);
});

test('G6: the names of a loopback gateway are its own and that of its public url', () => {
  expect(loopbackHostNames('127.0.0.1', null)).toEqual(['localhost', '127.0.0.1', '[::1]']);
  expect(loopbackHostNames('::1', 'https://perdure.example.com/base')).toContain('perdure.example.com');
  expect(loopbackHostNames('0.0.0.0', 'https://perdure.example.com')).toBeNull();
});
