import { startApp } from './start-app.js';
import { createTestDatabase, type TestDatabase } from './test-database.js';
import { createTestQueue, type TestQueue } from './test-queue.js';

let database: TestDatabase;
let queue: TestQueue;

beforeAll(async () => {
  [database, queue] = await Promise.all([createTestDatabase(), createTestQueue()]);
});

afterAll(async () => {
  await Promise.all([database.drop(), queue.drop()]);
});

const environment = () => ({ PERDURE_WRITER_DATABASE_URL: database.writerUrl, PERDURE_QUEUE_URL: queue.url });

async function answers(url: string): Promise<boolean> {
  return fetch(`${url}/readyz`).then(
    (response) => response.ok,
    () => false,
  );
}

it('starts two built applications side by side, each ready at an address of its own', async () => {
  const apps = await Promise.all([startApp('audit-writer', environment()), startApp('audit-writer', environment())]);
  expect(new Set(apps.map(({ url }) => url)).size).toBe(2);
  expect(await Promise.all(apps.map(({ url }) => answers(url)))).toEqual([true, true]);
  await Promise.all(apps.map((app) => app.stop()));
  expect(await Promise.all(apps.map(({ url }) => answers(url)))).toEqual([false, false]);
});

it('an orderly stop is seen in the log, a kill is not', async () => {
  const [stopped, killed] = await Promise.all([
    startApp('audit-writer', environment()),
    startApp('audit-writer', environment()),
  ]);
  await Promise.all([stopped.stop(), killed.kill()]);
  expect(stopped.log()).toContain('SIGTERM');
  expect(killed.log()).not.toContain('SIGTERM');
});

it('shows what an application said before it died', async () => {
  const start = startApp('audit-writer', { ...environment(), PERDURE_WRITER_DATABASE_URL: 'nonsense' });
  await expect(start).rejects.toThrow(/stopped before it was ready.*PERDURE_WRITER_DATABASE_URL/s);
});

it('says what to run when an application is not built', async () => {
  await expect(startApp('no-such-app', {})).rejects.toThrow('npm run build');
});
