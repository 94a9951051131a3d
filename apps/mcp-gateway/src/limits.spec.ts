import { RequestLimits } from '@perdure/service';
import { startGateway, type TestGateway } from './testing/gateway.js';
import { clientHeaders, legacyMessage, modernMessage, send } from './testing/mcp-request.js';

let gateway: TestGateway;

/** Counters of the test's own. */
function counters() {
  const totals = new Map<string, number>();
  return {
    add: async (key: string, count: number) => {
      const total = (totals.get(key) ?? 0) + count;
      totals.set(key, total);
      return { total, resetsInMs: 30_000 };
    },
  };
}

const limitsOf = (options: { perCredential?: number; perAddress?: number }) =>
  new RequestLimits({
    counts: counters(),
    onAway: () => undefined,
    perCredential: options.perCredential ?? null,
    failuresPerAddress: options.perAddress ?? null,
    requestsPerAddress: options.perAddress ?? null,
  });

afterEach(() => gateway.close());

/** At most what the counters said; less, on a machine that is slow. */
const SECONDS = expect.stringMatching(/^(?:[1-9]|[12]\d|30)$/);

const refused = {
  jsonrpc: '2.0',
  id: 7,
  error: {
    code: -32000,
    data: {
      kind: 'rate_limited',
      code: 'rate_limited',
      hint: expect.stringContaining('Retry-After'),
      details: { limit_of: 'credential', limit: 1, window_seconds: 60, retry_after_seconds: expect.any(Number) },
    },
  },
};

test('rate-limit: over the limit of a credential a tool call is answered with 429, lists and handshakes are not counted', async () => {
  gateway = await startGateway({ limits: limitsOf({ perCredential: 1 }) });
  const call = { name: 'who_am_i', arguments: {} };
  const modern = modernMessage('tools/call', call, 7);
  const first = await send(gateway, { headers: { ...clientHeaders(), ...modern.headers }, body: modern.body });
  expect([first.status, first.headers['ratelimit-policy'], first.headers['ratelimit']]).toEqual([
    200,
    '"credential";q=1;w=60',
    expect.stringMatching(/^"credential";r=0;t=\d+$/),
  ]);
  for (const { headers = {}, body } of [modern, { body: legacyMessage('tools/call', call, 7) }]) {
    const answer = await send(gateway, { headers: { ...clientHeaders(), ...headers }, body });
    expect([answer.status, answer.headers['retry-after']]).toEqual([429, SECONDS]);
    expect(answer.json).toMatchObject(refused);
  }
  for (const method of ['tools/list', 'ping']) {
    const answer = await send(gateway, { headers: clientHeaders(), body: legacyMessage(method) });
    expect([answer.status, answer.headers['ratelimit']]).toEqual([200, undefined]);
  }
  expect(gateway.seen).toHaveLength(1);
});

test('rate-limit-behind-proxy: wrong tokens from an address are told to wait, a valid one from there is served', async () => {
  gateway = await startGateway({ limits: limitsOf({ perAddress: 2 }) });
  const attempt = (authorization: string | undefined) =>
    send(gateway, { headers: { ...clientHeaders(), authorization }, body: legacyMessage('tools/list') });
  for (const status of [401, 401, 429]) expect((await attempt('Bearer wrong')).status).toBe(status);
  expect((await attempt('Bearer other')).headers['retry-after']).toEqual(SECONDS);
  // Without a token a client looks for where to get one.
  expect((await attempt(undefined)).headers['www-authenticate']).toBe('Bearer');
  expect((await attempt(clientHeaders()['authorization'])).status).toBe(200);
});

test.each(['/oauth/token', '/sign-in'])('G6: %s has a limit by address', async (path) => {
  gateway = await startGateway({ limits: limitsOf({ perAddress: 1 }) });
  expect((await send(gateway, { path })).status).toBe(404);
  const answer = await send(gateway, { path });
  expect([answer.status, answer.headers['retry-after']]).toEqual([429, SECONDS]);
  expect(answer.json).toEqual({ error: 'temporarily_unavailable', error_description: expect.any(String) });
});
