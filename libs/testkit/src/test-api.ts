import { startApp, type TestApp } from './start-app.js';
import { createTestInstallation, type TestInstallation } from './test-installation.js';
import { createTestQueue } from './test-queue.js';

/** The api as a process of its own, over a database and a queue of its own. */
export interface TestApi {
  readonly installation: TestInstallation;
  readonly queueUrl: string;
  readonly api: TestApp;
  readonly close: () => Promise<void>;
}

/** @param env more variables of the process; needs `npm run build` */
export async function startTestApi(env: Readonly<Record<string, string>> = {}): Promise<TestApi> {
  const installation = await createTestInstallation();
  const queue = await createTestQueue();
  const api = await startApp('api', {
    PERDURE_DATABASE_URL: installation.database.appUrl,
    PERDURE_QUEUE_URL: queue.url,
    PERDURE_API_URL: 'https://perdure.example.com',
    ...env,
  });
  const close = async () => {
    await api.stop();
    await queue.drop();
    await installation.close();
  };
  return { installation, queueUrl: queue.url, api, close };
}
