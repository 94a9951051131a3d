import {
  createTestInstallation,
  createTestQueue,
  startApp,
  type TestActor,
  type TestApp,
  type TestInstallation,
  type TestQueue,
} from '@perdure/testkit';

let installation: TestInstallation;
let queue: TestQueue;
let agent: TestActor;
let api: TestApp;

const start = (databaseUrl: string) =>
  startApp('api', { PERDURE_DATABASE_URL: databaseUrl, PERDURE_QUEUE_URL: queue.url, PERDURE_ENV: 'test' });

beforeAll(async () => {
  installation = await createTestInstallation();
  queue = await createTestQueue();
  agent = await (await installation.workspace()).actor('agent-1');
  api = await start(installation.database.appUrl);
});

afterAll(async () => {
  await api.stop();
  await installation.close();
  await queue.drop();
});

const post = (procedure: string, input: object, headers: Record<string, string> = {}) =>
  fetch(`${api.url}/trpc/${procedure}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${agent.token}`, ...headers },
    body: JSON.stringify(input),
  });

test('T1: a session is started, found again and ended over HTTP', async () => {
  await post('projects.createProject', { name: 'demo' });
  const key = { project: 'demo', computer: 'desk', branch: 'main' };
  const started = await post('sessions.startBuildSession', key);
  expect(await started.json()).toMatchObject({ result: { data: { resumed: false } } });
  const again = await post('sessions.startBuildSession', key);
  expect(await again.json()).toMatchObject({ result: { data: { resumed: true } } });
});

test('T4: the same key in the header gives the first answer and says so', async () => {
  const headers = { 'idempotency-key': 'key-1' };
  const fresh = await post('projects.createProject', { name: 'keyed' }, headers);
  const replayed = await post('projects.createProject', { name: 'keyed' }, headers);
  expect([fresh.headers.get('idempotent-replayed'), replayed.headers.get('idempotent-replayed')]).toEqual([
    null,
    'true',
  ]);
  expect(await replayed.text()).toBe(await fresh.text());
  const other = await post('projects.createProject', { name: 'other' }, headers);
  expect(other.status).toBe(409);
  expect(await other.json()).toMatchObject({ error: { data: { perdure: { code: 'idempotency_mismatch' } } } });
});

test('I5: a credential without the scope is refused with 403', async () => {
  const refused = await post('audit.verifyAuditChain', {});
  expect(refused.status).toBe(403);
  expect(await refused.json()).toMatchObject({ error: { data: { perdure: { code: 'forbidden_scope' } } } });
});

test('I1: does not start under a role for which row-level security would not hold', async () => {
  await expect(start(installation.database.superuserUrl)).rejects.toThrow(/is a superuser/);
});
