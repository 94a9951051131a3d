import { applicationEnvironment, APPLICATIONS, type Connections } from './applications.js';
import { externalConnections } from './connections.js';
import { chooseQueue } from './services.js';

const CONNECTIONS: Connections = {
  databaseUrl: 'postgres://app',
  ownerUrl: 'postgres://owner',
  directUrl: 'postgres://direct',
  writerUrl: 'postgres://writer',
  ingestUrl: 'postgres://ingest',
  superuserUrl: 'postgres://superuser',
  queueUrl: 'redis://queue',
};

/** As if the user had set everything: what an application must not see would otherwise come through from there. */
const CALLER = {
  PATH: '/bin',
  PERDURE_DATABASE_URL: 'postgres://app',
  PERDURE_DATABASE_OWNER_URL: 'postgres://owner',
  PERDURE_WRITER_DATABASE_URL: 'postgres://writer',
  PERDURE_INGEST_DATABASE_URL: 'postgres://ingest',
  PERDURE_LOG_LEVEL: 'debug',
};

it.each([
  ['api', ['postgres://app', 'postgres://direct']],
  ['mcp-gateway', ['postgres://app', 'postgres://direct']],
  ['audit-writer', ['postgres://writer']],
  ['usage-ingest', ['postgres://ingest']],
] as const)('%s gets its own database role and nobody else’s', (name, expected) => {
  const env = applicationEnvironment(name, CONNECTIONS, 7405, CALLER);
  const databases = Object.values(env).filter((value) => value?.startsWith('postgres:'));
  expect(databases.sort()).toEqual([...expected].sort());
});

it('every application learns where to listen, where the queue is, and what the caller said about logging', () => {
  for (const name of APPLICATIONS) {
    expect(applicationEnvironment(name, CONNECTIONS, 7405, CALLER)).toMatchObject({
      PATH: '/bin',
      PERDURE_HTTP_HOST: '127.0.0.1',
      PERDURE_HTTP_PORT: '7405',
      PERDURE_PUBLIC_URL: 'http://127.0.0.1:7405',
      PERDURE_QUEUE_URL: 'redis://queue',
      PERDURE_LOG_LEVEL: 'debug',
    });
  }
});

it('without PERDURE_DATABASE_URL Postgres is embedded; with it, every missing address is named at once', () => {
  expect(externalConnections({})).toBeNull();
  expect(() => externalConnections({ PERDURE_DATABASE_URL: 'postgres://app' })).toThrow(
    'PERDURE_DATABASE_OWNER_URL, PERDURE_WRITER_DATABASE_URL, PERDURE_INGEST_DATABASE_URL',
  );
  expect(externalConnections(CALLER)).toEqual({
    databaseUrl: 'postgres://app',
    ownerUrl: 'postgres://owner',
    directUrl: 'postgres://app',
    writerUrl: 'postgres://writer',
    ingestUrl: 'postgres://ingest',
  });
});

it('chooses the queue: a given url, else a redis-server on PATH, else Postgres, and says which', () => {
  const given = chooseQueue({ PERDURE_QUEUE_URL: 'rediss://user:secret@host/1', PATH: process.env.PATH });
  expect(given.kind).toBe('given');
  expect(given.description).not.toContain('secret');
  expect(chooseQueue({ PATH: process.env.PATH })).toMatchObject({ kind: 'redis' });
  expect(chooseQueue({ PATH: '/nowhere' })).toMatchObject({ kind: 'postgres' });
  expect(chooseQueue({ PATH: '/nowhere' }).description).toContain('PostgreSQL');
});
