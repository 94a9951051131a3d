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

const start = (databaseUrl: string) =>
  startApp('mcp-gateway', { PERDURE_DATABASE_URL: databaseUrl, PERDURE_QUEUE_URL: queue.url });

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
