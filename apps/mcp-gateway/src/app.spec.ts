import { DomainError } from '@perdure/contracts';
import { startGateway, tokenOf, type TestGateway } from './testing/gateway.js';
import { clientHeaders, legacyMessage, modernMessage, send } from './testing/mcp-request.js';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway({
    allowedOrigins: ['https://tools.example.com'],
    respond: async ({ operation, actor }) => {
      if (operation === 'list_projects') throw new DomainError('forbidden_scope', 'needs projects:read');
      if (operation === 'issue_credential') throw new Error('open sesame');
      return { output: { actor }, replayed: operation === 'ping_build_session' };
    },
  });
});

afterAll(() => gateway.close());

const legacy = (method: string, params?: object, headers: Record<string, string | undefined> = {}) =>
  send(gateway, { headers: { ...clientHeaders(), ...headers }, body: legacyMessage(method, params) });

function modern(method: string, params?: Record<string, unknown>) {
  const { headers, body } = modernMessage(method, params);
  return send(gateway, { headers: { ...clientHeaders(), ...headers }, body });
}

const jsonRpc = (code: number, kind: string) => ({
  jsonrpc: '2.0',
  error: {
    code,
    message: expect.stringMatching(/\w/),
    data: { kind, hint: expect.any(String), details: expect.any(Object) },
  },
});

describe('both protocol eras', () => {
  test('G1: 2026-07-28 is served without a handshake', async () => {
    const discovered = await modern('server/discover');
    expect(discovered.json).toMatchObject({
      result: { supportedVersions: ['2026-07-28'], instructions: expect.stringContaining('start_build_session') },
    });
    const listed = await modern('tools/list');
    expect(listed.json).toMatchObject({ result: { ttlMs: 60_000, cacheScope: 'private', resultType: 'complete' } });
    const called = await modern('tools/call', { name: 'who_am_i', arguments: {} });
    expect(called.json).toMatchObject({
      id: 1,
      result: { structuredContent: { actor: 'agent-1' }, content: [{ type: 'text', text: '{"actor":"agent-1"}' }] },
    });
  });

  test.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])('G1: %s is negotiated', async (version) => {
    const clientInfo = { name: 'spec', version: '1' };
    const answer = await legacy('initialize', { protocolVersion: version, capabilities: {}, clientInfo });
    expect(answer.json).toMatchObject({ result: { protocolVersion: version, serverInfo: { name: 'perdure' } } });
    expect(answer.headers['mcp-session-id']).toBeUndefined();
  });

  test('G1: an older client needs no session, and one it remembers from elsewhere is ignored', async () => {
    for (const session of [undefined, '0000dead']) {
      const answer = await legacy('tools/call', { name: 'who_am_i' }, { 'mcp-session-id': session });
      expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/json']);
      expect(answer.json).toMatchObject({ result: { structuredContent: { actor: 'agent-1' } } });
    }
  });

  test.each([undefined, '*/*', 'application/json', 'text/event-stream, application/json', 'text/html'])(
    'G1: Accept %s is served with JSON in both eras',
    async (accept) => {
      const { headers, body } = modernMessage('tools/list');
      for (const sent of [{ body: legacyMessage('tools/list') }, { headers, body }]) {
        const answer = await send(gateway, { ...sent, headers: { ...clientHeaders(), ...sent.headers, accept } });
        expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/json']);
      }
    },
  );

  test('G1: a notification is taken with 202 and nothing else', async () => {
    const body = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' });
    const answer = await send(gateway, { headers: clientHeaders(), body });
    expect([answer.status, answer.text]).toEqual([202, '']);
  });

  test('G1: a subscription to nothing that changes is acknowledged and ended, not held open', async () => {
    const answer = await modern('subscriptions/listen', { notifications: { toolsListChanged: true } });
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/event-stream']);
    expect(answer.headers['x-accel-buffering']).toBe('no');
    expect(answer.text).toMatch(/subscriptions\/acknowledged[^]*"resultType":"complete"/);
  });

  test.each(['GET', 'DELETE', 'PUT', 'PATCH'])('G1: %s is not offered', async (method) => {
    const answer = await send(gateway, { method, headers: clientHeaders() });
    expect([answer.status, answer.headers.allow]).toEqual([405, 'POST']);
    expect(answer.json).toMatchObject(jsonRpc(-32000, 'unsupported'));
    expect(answer.text).toContain('POST JSON-RPC here with an MCP client.');
  });
});

describe('what a tool call comes back with', () => {
  test('G2: a refusal is a result, in either era', async () => {
    for (const call of [legacy, modern]) {
      const answer = await call('tools/call', { name: 'list_projects', arguments: {} });
      expect(answer.status).toBe(200);
      expect(answer.json).toMatchObject({
        result: { isError: true, _meta: { 'dev.perdure/error': { code: 'forbidden_scope' } } },
      });
      expect(answer.text).not.toContain('structuredContent');
    }
  });

  test('T4: a replay is marked', async () => {
    const answer = await modern('tools/call', { name: 'ping_build_session', arguments: {} });
    expect(answer.json).toMatchObject({ result: { _meta: { 'dev.perdure/replayed': true } } });
  });

  test('G2: a fault shows the id of its request, which the log knows', async () => {
    const { headers, body } = modernMessage('tools/call', { name: 'issue_credential', arguments: {} });
    const sent = { ...clientHeaders(), ...headers, 'x-request-id': 'request-of-the-spec' };
    const answer = await send(gateway, { headers: sent, body });
    expect(answer.text).toContain('"request_id":"request-of-the-spec"');
    expect(answer.text).not.toContain('sesame');
    expect(gateway.log()).toMatch(/"request_id":"request-of-the-spec".*a tool call failed/);
  });

  test('G2: a name that is no tool is a protocol error', async () => {
    for (const call of [legacy, modern]) {
      const answer = await call('tools/call', { name: 'no_such_tool', arguments: {} });
      expect(answer.status).toBe(200);
      expect(answer.json).toMatchObject({ error: { code: -32602 } });
    }
  });

  test('O3: the log line of a request names the operation and no argument', async () => {
    await modern('tools/call', { name: 'who_am_i', arguments: { note: 'private-text' } });
    expect(gateway.log()).toMatch(/"op":"who_am_i".*"msg":"request"/);
    expect(gateway.log()).not.toMatch(/private-text|token-of-/);
  });
});

describe('tool sets', () => {
  const namesIn = (json: unknown) => (JSON.stringify(json).match(/"name":"[a-z_]+"/g) ?? []).length;

  test('G3: the url chooses what is listed', async () => {
    const headers = clientHeaders();
    const body = legacyMessage('tools/list');
    const lean = await send(gateway, { headers, body });
    const more = await send(gateway, { path: '/mcp?toolsets=core,access', headers, body });
    expect(lean.text).not.toContain('who_am_i');
    expect(more.text).toContain('who_am_i');
    expect(namesIn(more.json)).toBeGreaterThan(namesIn(lean.json));
  });

  test.each(['nonsense', 'core,nonsense'])('G3: %s is refused, naming what exists', async (sets) => {
    const body = legacyMessage('tools/list', {}, 'seven');
    const answer = await send(gateway, { path: `/mcp?toolsets=${sets}`, headers: clientHeaders(), body });
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({ id: 'seven', ...jsonRpc(-32602, 'invalid_input') });
    expect(answer.text).toMatch(/core.*sessions.*decisions/);
  });
});

describe('authentication comes first', () => {
  const refused = (headers: Record<string, string | undefined>, path = '/mcp') =>
    send(gateway, { path, headers: { ...clientHeaders(), ...headers }, body: '{"not even' });

  test.each([
    [undefined, '/mcp', 'Bearer'],
    [undefined, `/mcp?access_token=${tokenOf('agent-1')}`, 'Bearer'],
    ['Bearer nope', '/mcp', 'Bearer error="invalid_token", error_description="unknown, expired or revoked"'],
  ])('G6: %s at %s is 401 with a challenge, before the body is read', async (authorization, path, challenge) => {
    const answer = await refused({ authorization }, path);
    expect([answer.status, answer.headers['www-authenticate']]).toEqual([401, challenge]);
    expect(answer.json).toMatchObject({ id: null, ...jsonRpc(-32001, 'unauthenticated') });
  });

  test('G6: a database that is down is 503, a fault 500, and neither says why', async () => {
    const down = await refused({ authorization: 'Bearer database-down' });
    expect(down.status).toBe(503);
    expect(down.json).toMatchObject(jsonRpc(-32603, 'unavailable'));
    const broken = await refused({ authorization: 'Bearer broken' });
    expect(broken.status).toBe(500);
    expect(broken.json).toMatchObject(jsonRpc(-32603, 'internal'));
    expect(broken.text).not.toMatch(/hunter2|ECONNREFUSED|\.js|\bat /);
    expect(gateway.log()).toContain('ECONNREFUSED');
    expect(gateway.log()).not.toContain('hunter2');
  });
});

describe('bodies', () => {
  test.each([
    ['half a message', '{"jsonrpc":"2.0","id":1,', 400, -32700, 'invalid_input'],
    ['nothing', '', 400, -32700, 'invalid_input'],
    ['a number', '123', 400, -32600, 'invalid_input'],
    ['null', 'null', 400, -32600, 'invalid_input'],
    ['an empty batch', '[]', 400, -32600, 'invalid_input'],
    ['a batch', `[${legacyMessage('tools/list')},${legacyMessage('ping')}]`, 400, -32600, 'invalid_input'],
    ['512 kB and a byte', legacyMessage('x', { a: 'a'.repeat(512 * 1024) }), 413, -32600, 'too_large'],
  ])('G6: %s is refused', async (_what, body, status, code, kind) => {
    const answer = await send(gateway, { headers: clientHeaders(), body });
    expect(answer.status).toBe(status);
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    expect(answer.json).toMatchObject({ id: null, ...jsonRpc(code, kind) });
  });

  test('G6: an argument given twice is refused by the tool, a key of the message by the gateway', async () => {
    const { headers, body } = modernMessage('tools/call', { name: 'who_am_i', arguments: { a: 1, b: { c: 1 } } });
    const twice = (text: string, from: string, to: string) => {
      expect(text).toContain(from);
      return text.replace(from, to);
    };
    const calls = [
      { headers: { ...clientHeaders(), ...headers }, body: twice(body, '"c":1', '"c":1,"c":2') },
      {
        headers: clientHeaders(),
        body: twice(
          legacyMessage('tools/call', { name: 'find_operations', arguments: { a: { c: 1 } } }),
          '"c":1',
          '"c":1,"c":2',
        ),
      },
    ];
    for (const [index, call] of calls.entries()) {
      const answer = await send(gateway, call);
      expect(answer.status).toBe(200);
      const path = index === 0 ? 'b.c' : 'a.c';
      expect(answer.json).toMatchObject({
        result: {
          isError: true,
          _meta: { 'dev.perdure/error': { code: 'invalid_input', details: { fields: [{ path }] } } },
        },
      });
    }
    for (const [from, to] of [
      ['"id":1', '"id":1,"id":2'],
      ['"arguments":', '"arguments":{},"arguments":'],
    ] as const) {
      const message = twice(legacyMessage('tools/call', { name: 'who_am_i', arguments: {} }), from, to);
      const answer = await send(gateway, { headers: clientHeaders(), body: message });
      expect(answer.status).toBe(400);
      expect(answer.json).toMatchObject(jsonRpc(-32600, 'invalid_input'));
    }
  });

  test('G6: an object that is no message is refused by the protocol', async () => {
    const answer = await send(gateway, { headers: clientHeaders(), body: '{"jsonrpc":"2.0"}' });
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({ error: { code: -32600 } });
  });

  test('G6: anything but JSON is 415', async () => {
    const answer = await legacy('tools/list', {}, { 'content-type': 'text/plain' });
    expect(answer.status).toBe(415);
    expect(answer.json).toMatchObject(jsonRpc(-32000, 'unsupported'));
  });
});

describe('the rest of the address space', () => {
  test.each(['/', '/mcp/other', '/.well-known/oauth-protected-resource/other'])(
    'O3: %s is a JSON 404',
    async (path) => {
      const answer = await send(gateway, { method: 'GET', path, headers: { accept: 'text/html' } });
      expect(answer.status).toBe(404);
      expect(answer.json).toMatchObject({ error: { kind: 'not_found' } });
      expect(answer.headers['x-powered-by']).toBeUndefined();
      expect(answer.headers['x-content-type-options']).toBe('nosniff');
    },
  );

  test('O3: health needs no credential', async () => {
    for (const path of ['/healthz', '/readyz']) {
      expect((await send(gateway, { method: 'GET', path })).status).toBe(200);
    }
  });
});
