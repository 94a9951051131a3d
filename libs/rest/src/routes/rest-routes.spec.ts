import { createServer, request as httpRequest } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Express } from 'express';
import { allOperations, DomainError, ERROR_CODES, operationExamples, type ErrorCode } from '@perdure/contracts';
import request from 'supertest';
import { exampleRequest, type ExampleRequest } from '../reference/example-request.js';
import { answer, restAnswering } from '../testing/rest-app.js';

const ID = '01K5ZQ8W3M9X7B2C4D6E8F0G1H';
const contractOf = (name: string) => {
  const contract = allOperations.find((operation) => operation.name === name);
  if (contract === undefined) throw new Error(`no ${name}`);
  return contract;
};

function send(app: Express, { method, path, body }: ExampleRequest) {
  const sent = request(app)[method.toLowerCase() as 'get'](path); // a test agent has every method in this form
  return body === null ? sent : sent.send(body);
}

describe('a call', () => {
  test.each(operationExamples.map((example, index) => [`${index} ${example.operation}`, example] as const))(
    'T2: example %s reaches its operation with the arguments it shows',
    async (_name, { operation, input }) => {
      const { app, seen } = restAnswering();
      await send(app, exampleRequest(contractOf(operation), input));
      expect(seen.map((call) => [call.operation, call.input])).toEqual([[operation, input]]);
    },
  );

  test('T2: an address with a literal end is none with an id', async () => {
    const { app, seen } = restAnswering(() => answer({ files: [] }));
    await request(app).get('/v1/decision-log/export?format=madr');
    await request(app).get(`/v1/decision-log/${ID}`);
    await request(app).get('/v1/backlog-items/ready');
    expect(seen.map(({ operation }) => operation)).toEqual([
      'export_decision_log',
      'get_decision_log_entry',
      'list_ready_backlog_items',
    ]);
    const claim = await request(app).get('/v1/backlog-items/claim');
    expect([claim.status, claim.headers['allow']]).toEqual([405, 'POST']);
  });

  test.each([
    ['limit=5', { limit: 5 }],
    ['limit=1e1', { limit: 10 }],
    ['limit=-1', { limit: -1 }],
    ['limit=007', { limit: '007' }],
    ['limit=5.', { limit: '5.' }],
    ['limit=%205', { limit: ' 5' }],
    ['limit=0x10', { limit: '0x10' }],
    ['limit=', { limit: '' }],
    ['limit', { limit: '' }],
    ['limit=1&limit=2', { limit: ['1', '2'] }],
    ['include_superseded=true', { include_superseded: true }],
    ['include_superseded=TRUE', { include_superseded: 'TRUE' }],
    ['include_superseded=1', { include_superseded: '1' }],
    ['tag=12', { tag: '12' }],
    ['tag=true', { tag: 'true' }],
    ['tag=null', { tag: 'null' }],
    ['tag=a+b%2Bc%26', { tag: 'a b+c&' }],
    ['tag=a=b', { tag: 'a=b' }],
    ['tag=a&tag=b', { tag: ['a', 'b'] }],
    ['tag[]=a', { 'tag[]': 'a' }],
    ['titel=x', { titel: 'x' }],
    ['__proto__=x', JSON.parse('{"__proto__":"x"}')],
    ['&&tag=a&', { tag: 'a' }],
  ])('T2: ?%s is read as %j', async (query, input) => {
    const { app, seen } = restAnswering();
    await request(app).get(`/v1/decision-log?${query}`);
    expect(JSON.stringify(seen[0]?.input)).toBe(JSON.stringify(input));
  });

  test('T2: a path and a body are one set of arguments', async () => {
    const { app, seen } = restAnswering();
    await request(app).post(`/v1/build-sessions/${ID}/leads`).send({ new_lead_markdown: 'x', build_session_id: ID });
    await request(app).post(`/v1/build-sessions/${ID}/ping`);
    await request(app).patch('/v1/projects/a%2Fb%20%C3%A9').send({ name: 'x' });
    expect(seen.map(({ input }) => input)).toEqual([
      { build_session_id: ID, new_lead_markdown: 'x' },
      { build_session_id: ID },
      { project: 'a/b é', name: 'x' },
    ]);
  });

  test.each([
    ['post', `/v1/build-sessions/${ID}/ping`, { build_session_id: 'other' }, 'build_session_id'],
    ['post', `/v1/build-sessions/${ID}/ping`, { build_session_id: [ID] }, 'build_session_id'],
    ['post', `/v1/build-sessions/${ID}/ping`, { build_session_id: null }, 'build_session_id'],
    ['post', `/v1/build-sessions/${ID}/ping?build_session_id=${ID}`, {}, 'build_session_id'],
    ['post', '/v1/projects?titel=x', { name: 'x' }, 'titel'],
    ['get', '/v1/projects/a?project=b', undefined, 'project'],
    ['get', '/v1/decision-log?tag=%FF', undefined, 'tag'],
    ['get', '/v1/decision-log?%E0%A4%A=1', undefined, '%E0%A4%A'],
    ['post', '/v1/projects', [], ''],
    ['post', '/v1/projects', null, ''],
    ['post', '/v1/projects', 7, ''],
  ] as const)('T2: %s %s with %j is refused and names "%s"', async (method, path, body, field) => {
    const { app, seen } = restAnswering();
    const sent = request(app)[method](path);
    const response = await (body === undefined
      ? sent
      : sent.set('content-type', 'application/json').send(JSON.stringify(body)));
    expect(response.status).toBe(400);
    expect(response.body.error).toMatchObject({ code: 'invalid_input', details: { fields: [{ path: field }] } });
    expect(response.body.error.message).toContain(field);
    expect(seen).toEqual([]);
  });

  test('G6: no refusal echoes more than 80 characters of what was sent', async () => {
    const { app } = restAnswering();
    for (const path of [`/v1/projects?${'k'.repeat(2000)}=1`, `/v1/projects?${'k'.repeat(2000)}=%FF`]) {
      const response = await request(app).post(path).send({});
      expect(response.status).toBe(400);
      expect(response.text).not.toContain('k'.repeat(81));
    }
  });
});

describe('an answer', () => {
  test.each([
    ['/v1/build-sessions', { resumed: false }, 201],
    ['/v1/build-sessions', { resumed: true }, 200],
    [`/v1/build-sessions/${ID}/prs`, { added: 0 }, 200],
    [`/v1/build-sessions/${ID}/prs`, { added: 2 }, 201],
    [`/v1/build-sessions/${ID}/ping`, { pinged: true }, 200],
    ['/v1/decision-log', {}, 201],
  ])('S1: POST %s answering %j has status %i', async (path, output, status) => {
    const response = await request(restAnswering(() => answer(output)).app)
      .post(path)
      .send({});
    expect([response.status, response.body]).toEqual([status, output]);
    expect(response.headers['idempotent-replayed']).toBeUndefined();
  });

  test('T4: the key reaches the dispatcher and a replay says so; a query has no key', async () => {
    const { app, seen } = restAnswering(() => answer({}, true));
    const replayed = await request(app).post('/v1/projects').set('idempotency-key', 'k1').send({ name: 'x' });
    expect([seen[0]?.options.idempotencyKey, replayed.headers['idempotent-replayed']]).toEqual(['k1', 'true']);
    await request(app).get('/v1/me').set('idempotency-key', 'k1');
    await request(app).post('/v1/audit/verify').set('idempotency-key', 'k1').send({});
    expect(seen.slice(1).map(({ options }) => options)).toEqual([
      { requestId: 'request-1', signal: expect.any(AbortSignal) },
      { requestId: 'request-1', signal: expect.any(AbortSignal) },
    ]);
  });

  test.each(allOperations.map((contract) => [contract.name, contract] as const))(
    'I2: %s is kept by no cache when it shows a secret',
    async (name, contract) => {
      const { app } = restAnswering(() => answer({ files: [] }));
      const { input } = operationExamples.find(({ operation }) => operation === name) ?? { input: {} };
      const response = await send(app, exampleRequest(contract, input));
      expect(response.headers['cache-control']).toBe(contract.disclosedOnce === undefined ? undefined : 'no-store');
    },
  );

  test('D5: an export is a stream of lines', async () => {
    const lines = `${JSON.stringify({ id: 1 })}\n${JSON.stringify({ id: 2 })}\n`;
    const ndjson = restAnswering(() => answer({ files: [{ path: 'decisions.ndjson', content: lines }] }));
    const log = await request(ndjson.app).get('/v1/decision-log/export?format=ndjson').buffer();
    expect([log.headers['content-type'], log.text]).toEqual(['application/x-ndjson', lines]);
    const files = ['a.md', 'b.md'].map((path) => ({ path, content: '# "x"\n' }));
    const madr = await request(restAnswering(() => answer({ files })).app)
      .get('/v1/decision-log/export?format=madr')
      .buffer();
    expect(
      madr.text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(files);
    const none = await request(restAnswering(() => answer({ files: [] })).app)
      .get('/v1/decision-log/export')
      .buffer();
    expect([none.status, none.text]).toEqual([200, '']);
  });
});

describe('a refusal', () => {
  const codes = Object.keys(ERROR_CODES) as ErrorCode[]; // the keys of a const object are its codes

  test.each(codes)('T2: %s is passed on as it is', async (code) => {
    const { app } = restAnswering(() => Promise.reject(new DomainError(code, 'wrong', { field: 'x' }, 'right')));
    const response = await request(app).get('/v1/me');
    const error = new DomainError(code, 'wrong', { field: 'x' }, 'right');
    expect([response.status, response.body]).toEqual([error.status, { error: error.toBody() }]);
  });

  test.each([
    ['get', '/v1/nothing', 404, 'not_found', undefined],
    ['get', '/v1', 404, 'not_found', undefined],
    ['get', '/v1/me/', 404, 'not_found', undefined],
    ['get', '/v1/ME', 404, 'not_found', undefined],
    ['get', '/v1/projects/%FF', 400, 'invalid_input', undefined],
    ['delete', '/v1/projects', 405, 'unsupported', 'POST, GET, HEAD'],
    ['post', '/v1/me', 405, 'unsupported', 'GET, HEAD'],
    ['options', '/v1/me', 405, 'unsupported', 'GET, HEAD'],
    ['get', `/v1/build-sessions/${ID}/ping`, 405, 'unsupported', 'POST'],
  ] as const)('T2: %s %s is %i %s, with Allow %s', async (method, path, status, code, allow) => {
    const { app, seen } = restAnswering();
    const response = await request(app)[method](path);
    expect([response.status, response.body.error?.code, response.headers['allow']]).toEqual([status, code, allow]);
    expect(response.body.error).toMatchObject({ kind: expect.any(String), hint: expect.any(String), details: {} });
    expect(response.text).not.toMatch(/%FF|URIError|node_modules/);
    expect(seen).toEqual([]);
  });

  test('a HEAD is answered as its GET, without a body', async () => {
    const response = await request(restAnswering(() => answer({ a: 1 })).app).head('/v1/me');
    expect([response.status, response.text]).toEqual([200, undefined]);
  });
});

test('G6: a client that goes away aborts its call', async () => {
  let started: (signal: AbortSignal | undefined) => void = () => undefined;
  const start = new Promise<AbortSignal | undefined>((resolve) => (started = resolve));
  const { app } = restAnswering(async ({ options: { signal } }) => {
    const gone = new Promise((resolve) => signal?.addEventListener('abort', resolve, { once: true }));
    started(signal);
    await gone;
    return answer();
  });
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // a listening TCP server has one
  const call = httpRequest(`http://127.0.0.1:${port}/v1/me`);
  call.once('error', () => undefined);
  call.end();
  const signal = await start;
  call.destroy();
  if (signal?.aborted === false) await once(signal, 'abort');
  expect(signal?.aborted).toBe(true);
  server.close();
  await once(server, 'close');
});
