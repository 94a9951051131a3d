export { obtainChromium } from './chromium-program.js';
export { selfSignedCertificate, type TestCertificate } from './self-signed-certificate.js';
export { startApp, type TestApp } from './start-app.js';
export { startTestApi, type TestApi } from './test-api.js';
export { createTestDatabase, type TestDatabase } from './test-database.js';
export { createTestPostgres, type TestPostgres } from './test-postgres.js';
export { createTestQueue, testQueueKind, type TestQueue, type TestQueueKind } from './test-queue.js';
export { createTestRedis, type TestRedis } from './test-redis.js';
export {
  createTestInstallation,
  refusalOf,
  type TestActor,
  type TestInstallation,
  type TestWorkspace,
} from './test-installation.js';
