import { createServer, request as httpRequest } from 'node:http';
import { once } from 'node:events';
import { DomainError } from '@perdure/contracts';
import { closeHttpServer, portOf } from '@perdure/service';
import request from 'supertest';
import { apiAnswering } from './testing/api.js';

const PING = '/trpc/sessions.pingBuildSession';
const WHO = '/trpc/access.whoAmI';
const bearer = { authorization: 'Bearer good' };

const served = (replayed = false) => apiAnswering(({ operation }) => ({ output: { operation }, replayed }));

describe('tRPC over HTTP', () => {
  test('T1: a query by GET, a mutation by POST, a long query by POST', async () => {
    const { app, seen } = served();
    const query = await request(app).get(WHO).set(bearer);
    expect([query.status, query.body]).toEqual([200, { result: { data: { operation: 'who_am_i' } } }]);
    const input = encodeURIComponent(JSON.stringify({ limit: 2 }));
    await request(app).get(`/trpc/sessions.listBuildSessions?input=${input}`).set(bearer);
    await request(app).post('/trpc/sessions.listBuildSessions').set(bearer).send({ limit: 3 });
    await request(app).post(PING).set(bearer).send({ build_session_id: 'x' });
    expect(seen.map(({ operation, input: given }) => [operation, given])).toEqual([
      ['who_am_i', {}],
      ['list_build_sessions', { limit: 2 }],
      ['list_build_sessions', { limit: 3 }],
      ['ping_build_session', { build_session_id: 'x' }],
    ]);
  });

  test('G6: a key given twice in the input of the url is refused by name', async () => {
    const { app, seen } = served();
    for (const url of [
      `/trpc/sessions.listBuildSessions?input=${encodeURIComponent('{"project":"a","project":"b"}')}`,
      `/trpc/sessions.listBuildSessions?batch=1&input=${encodeURIComponent('{"0":{"project":"a","project":"b"}}')}`,
    ]) {
      const response = await request(app).get(url).set(bearer);
      expect(response.status).toBe(400);
      expect(response.text).toContain('project: is given twice');
    }
    expect(seen).toEqual([]);
  });

  test('T1: several calls in one request', async () => {
    const { app } = served();
    const response = await request(app).get('/trpc/access.whoAmI,projects.listProjects?batch=1&input={}').set(bearer);
    expect(response.body).toEqual([
      { result: { data: { operation: 'who_am_i' } } },
      { result: { data: { operation: 'list_projects' } } },
    ]);
    const many = Array.from({ length: 51 }, () => 'access.whoAmI').join(',');
    const refused = await request(app).get(`/trpc/${many}?batch=1&input={}`).set(bearer);
    expect(refused.status).toBe(400);
  });

  test('T1: a refusal has its status and its body at data.perdure', async () => {
    const { app } = apiAnswering(() => Promise.reject(new DomainError('session_ended', 'it ended', { id: 'x' })));
    const response = await request(app).post(PING).set(bearer).send({});
    expect(response.status).toBe(409);
    expect(response.body).toMatchObject({
      error: {
        message: 'it ended',
        data: { httpStatus: 409, perdure: { code: 'session_ended', details: { id: 'x' } } },
      },
    });
    expect(response.text).not.toContain('stack');
  });

  test('O3: a fault shows the id of its request, which the log knows', async () => {
    const { app, log } = apiAnswering(() => Promise.reject(new Error('open sesame')));
    const response = await request(app)
      .post(PING)
      .set({ ...bearer, 'x-request-id': 'request-of-the-spec' })
      .send({});
    expect(response.status).toBe(500);
    expect(response.body).toMatchObject({
      error: { data: { perdure: { code: 'internal', details: { request_id: 'request-of-the-spec' } } } },
    });
    expect(response.text).not.toContain('sesame');
    expect(log()).toMatch(/sesame.*"request_id":"request-of-the-spec".*a request failed/);
    expect(log()).toMatch(/"op":"ping_build_session".*"msg":"request"/);
  });
});

describe('the idempotency key in a header', () => {
  test('T4: reaches the dispatcher, and a replay is announced', async () => {
    const { app, seen } = served(true);
    const replayed = await request(app)
      .post(PING)
      .set({ ...bearer, 'idempotency-key': 'k1' })
      .send({});
    expect(seen[0]?.options.idempotencyKey).toBe('k1');
    expect(replayed.headers['idempotent-replayed']).toBe('true');
    const fresh = await request(served().app)
      .post(PING)
      .set({ ...bearer, 'idempotency-key': 'k1' })
      .send({});
    expect(fresh.headers['idempotent-replayed']).toBeUndefined();
  });

  test('T4: cannot stand for several calls', async () => {
    const { app, seen } = served();
    const url = '/trpc/sessions.pingBuildSession,sessions.pingBuildSession?batch=1';
    const response = await request(app)
      .post(url)
      .set({ ...bearer, 'idempotency-key': 'k1' })
      .send({ 0: {}, 1: {} });
    expect(response.status).toBe(400);
    expect(response.text).toContain('idempotency_key argument');
    expect(seen).toEqual([]);
    await request(app)
      .post(url)
      .set(bearer)
      .send({ 0: { idempotency_key: 'a' }, 1: { idempotency_key: 'b' } });
    expect(seen.map(({ input }) => input)).toEqual([{ idempotency_key: 'a' }, { idempotency_key: 'b' }]);
  });
});

describe('what never reaches an operation', () => {
  test.each([
    ['no credential', {}, '{}', 401, 'unauthenticated'],
    ['an unknown credential', { authorization: 'Bearer nope' }, '{}', 401, 'unauthenticated'],
    ['a look-up that fails', { authorization: 'Bearer database-down' }, '{}', 503, 'unavailable'],
    ['a look-up that breaks', { authorization: 'Bearer broken' }, '{}', 500, 'internal'],
    ['a body that is not JSON', bearer, '{"a"', 400, 'invalid_input'],
    ['a key given twice', bearer, '{"build_session_id":"a","build_session_id":"b"}', 400, 'invalid_input'],
    ['a body over 512 kB', bearer, JSON.stringify({ a: 'a'.repeat(512 * 1024) }), 413, 'too_large'],
    ['a form', { ...bearer, 'content-type': 'application/x-www-form-urlencoded' }, 'a=1', 415, 'unsupported'],
    ['a stream of bytes', { ...bearer, 'content-type': 'application/octet-stream' }, 'abc', 415, 'unsupported'],
    ['several parts', { ...bearer, 'content-type': 'multipart/form-data; boundary=x' }, '--x--', 415, 'unsupported'],
  ] as const)('T1: %s is refused where a typed client looks for it', async (_what, headers, body, status, code) => {
    const { app, seen } = served();
    const response = await request(app)
      .post(PING)
      .set({ 'content-type': 'application/json', ...headers })
      .send(body);
    expect(response.status).toBe(status);
    expect(response.body).toMatchObject({ error: { data: { perdure: { code } } } });
    expect(response.text).not.toMatch(/ECONNREFUSED|node_modules|"stack"/);
    expect(seen).toEqual([]);
  });

  test.each([PING, '/v1/projects'])('G6: %s names no field of a body that is not JSON', async (path) => {
    const { app } = served();
    const response = await request(app).post(path).set(bearer).type('application/json').send('{"a"');
    expect(response.text).toContain('Send one JSON document in UTF-8 as the body.');
    expect(response.text).not.toContain('named fields');
  });

  test('I2: without a credential not even the existence of a procedure is told', async () => {
    const { app } = served();
    const unknown = await request(app).get('/trpc/no.such');
    const known = await request(app).get(WHO);
    expect([unknown.status, known.status]).toEqual([401, 401]);
    expect(known.headers['www-authenticate']).toBe('Bearer');
  });
});

describe('the rest of the address space', () => {
  test.each([
    ['/v2/projects', 404, 'not_found'],
    ['/%E0%A4%A', 404, 'not_found'],
  ])('O3: %s is answered in JSON', async (path, status, code) => {
    const response = await request(served().app).get(path).set('accept', 'text/html');
    expect([response.status, response.body]).toMatchObject([status, { error: { code, hint: expect.any(String) } }]);
    expect(response.headers).toMatchObject({ 'x-content-type-options': 'nosniff' });
    expect(response.headers['x-powered-by']).toBeUndefined();
  });

  test('O3: the bare address leads a person to the documents', async () => {
    const response = await request(served().app).get('/');
    expect([response.status, response.headers['location']]).toEqual([302, '/v1/docs']);
  });

  test('O3: health needs no credential', async () => {
    for (const path of ['/healthz', '/readyz']) expect((await request(served().app).get(path)).status).toBe(200);
  });
});

test('G6: a client that goes away aborts its call', async () => {
  let started: (signal: AbortSignal | undefined) => void = () => undefined;
  const start = new Promise<AbortSignal | undefined>((resolve) => (started = resolve));
  const { app } = apiAnswering(async ({ options: { signal } }) => {
    const gone = new Promise((resolve) => signal?.addEventListener('abort', resolve, { once: true }));
    started(signal);
    await gone;
    return { output: {}, replayed: false };
  });
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const call = httpRequest(`http://127.0.0.1:${portOf(server)}${WHO}`, { headers: bearer });
  call.once('error', () => undefined);
  call.end();
  const signal = await start;
  const aborted = new Promise((resolve) => signal?.addEventListener('abort', resolve, { once: true }));
  call.destroy();
  await aborted;
  expect(signal?.aborted).toBe(true);
  await closeHttpServer(server, 1_000);
});

describe('REST', () => {
  test('T2: an operation at its route, with the id of its request and its name in the log', async () => {
    const { app, seen, log } = served();
    const response = await request(app)
      .patch('/v1/projects/demo')
      .set({ ...bearer, 'x-request-id': 'request-of-the-spec' })
      .send({ name: 'x' });
    expect([response.status, response.body]).toEqual([200, { operation: 'update_project' }]);
    expect(seen).toMatchObject([
      { input: { project: 'demo', name: 'x' }, options: { requestId: 'request-of-the-spec' } },
    ]);
    expect(log()).toMatch(/"op":"update_project".*"msg":"request"/);
  });

  test('T2: its documents need no credential', async () => {
    const { app } = served();
    const document = await request(app).get('/v1/openapi.json');
    expect([document.status, document.body.info.version]).toEqual([200, '1.2.3']);
    const page = await request(app).get('/v1/docs');
    expect(page.headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-/);
  });

  test.each([
    ['no credential', {}, '{}', 401, 'unauthenticated'],
    ['an unknown credential', { authorization: 'Bearer nope' }, '{}', 401, 'unauthenticated'],
    ['a look-up that fails', { authorization: 'Bearer database-down' }, '{}', 503, 'unavailable'],
    ['a body that is not JSON', bearer, '{"a"', 400, 'invalid_input'],
    ['an empty body', bearer, '', 400, 'invalid_input'],
    ['a key given twice', bearer, '{"build_session_id":"a","build_session_id":"b"}', 400, 'invalid_input'],
    ['a body over 512 kB', bearer, JSON.stringify({ a: 'a'.repeat(512 * 1024) }), 413, 'too_large'],
    ['a form', { ...bearer, 'content-type': 'application/x-www-form-urlencoded' }, 'a=1', 415, 'unsupported'],
    ['text', { ...bearer, 'content-type': 'text/plain' }, '{}', 415, 'unsupported'],
  ] as const)('T2: %s is refused in the one shape of errors', async (_what, headers, body, status, code) => {
    const { app, seen } = served();
    const response = await request(app)
      .post('/v1/projects')
      .set({ 'content-type': 'application/json', ...headers })
      .send(body);
    expect([response.status, response.body]).toEqual([
      status,
      {
        error: { kind: code, code, message: expect.any(String), hint: expect.any(String), details: expect.any(Object) },
      },
    ]);
    expect(seen).toEqual([]);
  });

  test('I2: without a credential not even the existence of an address is told', async () => {
    const { app } = served();
    for (const path of ['/v1/me', '/v1/nothing', '/v1/projects/%FF']) {
      const { status, headers } = await request(app).get(path);
      expect([path, status, headers['www-authenticate']]).toEqual([path, 401, 'Bearer']);
    }
  });

  test('O3: a fault shows the id of its request and nothing of its cause', async () => {
    const { app, log } = apiAnswering(() => Promise.reject(new Error('open sesame')));
    const response = await request(app)
      .get('/v1/me')
      .set({ ...bearer, 'x-request-id': 'request-of-the-spec' });
    expect([response.status, response.body]).toMatchObject([
      500,
      { error: { code: 'internal', details: { request_id: 'request-of-the-spec' } } },
    ]);
    expect(response.text).not.toContain('sesame');
    expect(log()).toContain('sesame');
  });
});
