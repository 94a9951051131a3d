import { request as httpRequest } from 'node:http';
import { gzipSync } from 'node:zlib';
import { startTestApi, type TestActor, type TestApi, type TestApp, type TestInstallation } from '@perdure/testkit';

let installation: TestInstallation;
let close: TestApi['close'];
let reporter: TestActor;
let api: TestApp;

beforeAll(async () => {
  ({ installation, api, close } = await startTestApi({ PERDURE_ENV: 'test', PERDURE_USAGE_BACKLOG: '20000' }));
});
afterAll(() => close());
beforeEach(async () => {
  reporter = await (await installation.workspace()).actor('job', 'reporter');
});

const line = (transcript_id: string) => `${JSON.stringify({ transcript_id, client: 'c', models: [] })}\n`;

const bearer = () => ({ authorization: `Bearer ${reporter.token}` });

const upload = (body: string | Buffer, headers: Record<string, string> = {}, query = '?batch_key=k') =>
  fetch(`${api.url}/v1/usage-batches${query}`, {
    method: 'POST',
    headers: { ...bearer(), 'content-type': 'application/x-ndjson', ...headers },
    body: new Uint8Array(Buffer.from(body)),
  });

const codeOf = async (response: Response) => ((await response.json()) as { error: { code: string } }).error.code; // DESIGN §4

test('U3: lines, plain and gzipped, are accepted with 202, and a key is one batch however it is said', async () => {
  const plain = await upload(line('a') + line('b'));
  const answer = await plain.text();
  expect([plain.status, JSON.parse(answer)]).toMatchObject([202, { status: 'received', received: 2 }]);
  const zipped = await upload(gzipSync(line('a')), { 'content-encoding': 'gzip' });
  expect([zipped.status, await zipped.text()]).toEqual([202, answer]);
  const keyed = await upload(line('a'), { 'idempotency-key': 'k' }, '');
  expect([keyed.status, await keyed.text()]).toEqual([202, answer]);
  const json = await fetch(`${api.url}/v1/usage-batches`, {
    method: 'POST',
    headers: { ...bearer(), 'content-type': 'application/json' },
    body: JSON.stringify({ batch_key: 'k', reports: [] }),
  });
  expect([json.status, await json.text()]).toEqual([202, answer]);
});

test('U3: a bomb is unpacked no further than the limit', async () => {
  const bomb = gzipSync(Buffer.alloc(400 * 1024 * 1024, ' '), { level: 9 });
  const refused = await upload(bomb, { 'content-encoding': 'gzip' });
  expect([refused.status, await codeOf(refused)]).toEqual([413, 'too_large']);
  expect((await fetch(`${api.url}/healthz`)).status).toBe(200);
});

test.each([
  ['no key', line('a'), {}, '', 400, 'invalid_input'],
  ['an unknown argument', line('a'), {}, '?batch_key=k&x=1', 400, 'invalid_input'],
  ['no gzip', 'abc', { 'content-encoding': 'gzip' }, undefined, 400, 'invalid_input'],
  ['half a gzip', gzipSync(line('a')).subarray(0, 20), { 'content-encoding': 'gzip' }, undefined, 400, 'invalid_input'],
  ['another encoding', 'abc', { 'content-encoding': 'br' }, undefined, 415, 'unsupported'],
  ['another type', 'abc', { 'content-type': 'text/csv' }, undefined, 415, 'unsupported'],
  ['no credential', 'abc', { authorization: '' }, undefined, 401, 'unauthenticated'],
] as const)('U3: %s is refused', async (_what, body, headers, query, status, code) => {
  const refused = await upload(body, headers, query);
  expect([refused.status, await codeOf(refused)]).toEqual([status, code]);
});

test('U3: a full inbox answers 429 and says when to come again', async () => {
  for (const key of ['a', 'b']) {
    const { status } = await upload(line('t').repeat(10_000), {}, `?batch_key=${key}`);
    expect(status).toBe(202);
  }
  const refused = await upload(line('t'), {}, '?batch_key=c');
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5']);
  expect(await codeOf(refused)).toBe('rate_limited');
});

test('U3: a client that goes away in the middle leaves nothing, and its key is free', async () => {
  const sending = httpRequest(`${api.url}/v1/usage-batches?batch_key=gone`, {
    method: 'POST',
    headers: { ...bearer(), 'content-type': 'application/x-ndjson' },
  });
  sending.on('error', () => undefined);
  await new Promise<void>((resolve) => sending.write(line('t').repeat(3_000), () => resolve()));
  sending.destroy();
  const again = await upload(line('t'), {}, '?batch_key=gone');
  expect([again.status, await again.json()]).toMatchObject([202, { received: 1 }]);
});

test('U3: a tRPC call of more than 512 kB is taken', async () => {
  const reports = Array.from({ length: 10_000 }, (_, index) => JSON.parse(line(`transcript-${index}`)) as object); // as `line` writes it
  const response = await fetch(`${api.url}/trpc/usage.submitUsageBatch`, {
    method: 'POST',
    headers: { ...bearer(), 'content-type': 'application/json' },
    body: JSON.stringify({ batch_key: 'k', reports }),
  });
  expect(await response.json()).toMatchObject({ result: { data: { received: 10_000 } } });
});
