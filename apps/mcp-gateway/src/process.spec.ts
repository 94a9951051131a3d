import {
  createTestInstallation,
  createTestQueue,
  startApp,
  type TestInstallation,
  type TestQueue,
} from '@perdure/testkit';

let installation: TestInstallation;
let queue: TestQueue;

beforeAll(async () => {
  installation = await createTestInstallation();
  queue = await createTestQueue();
});

afterAll(async () => {
  await installation.close();
  await queue.drop();
});

const start = (databaseUrl: string, env: Readonly<Record<string, string>> = {}) =>
  startApp('mcp-gateway', { PERDURE_DATABASE_URL: databaseUrl, PERDURE_QUEUE_URL: queue.url, ...env });

test('I1: does not start under a role for which row-level security would not hold', async () => {
  const { superuserUrl, ownerUrl } = installation.database;
  await expect(start(superuserUrl)).rejects.toThrow(/is a superuser/);
  await expect(start(ownerUrl)).rejects.toThrow(/owns the table/);
});

test('O3: is ready when its database answers, and stops in order when told to', async () => {
  const gateway = await start(installation.database.appUrl);
  const ready = await fetch(`${gateway.url}/readyz`);
  expect(await ready.json()).toMatchObject({ status: 'ready', checks: [{ name: 'database', ok: true }] });
  await gateway.stop();
  expect(gateway.log()).toMatch(/"signal":"SIGTERM"/);
  expect(gateway.log()).not.toMatch(/a step of stopping failed|"level":"(?:error|fatal)"/);
});

test.each(['production', 'development'])(
  'O7: does not start with the fixtures of the suite in %s',
  async (environment) => {
    const env = { PERDURE_ENV: environment, PERDURE_CONFORMANCE_FIXTURES: 'on' };
    await expect(start(installation.database.appUrl, env)).rejects.toThrow(/PERDURE_CONFORMANCE_FIXTURES: on/);
  },
);
