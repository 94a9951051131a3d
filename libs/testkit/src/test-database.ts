import { randomBytes } from 'node:crypto';
import { databaseUrl, type RoleName } from '@perdure/store';
import { Client } from 'pg';
import { roleUrl, TEMPLATE, testServices } from './shared-servers.js';

/** A database of its own, migrated, with an url for every role. */
export interface TestDatabase {
  name: string;
  appUrl: string;
  ownerUrl: string;
  writerUrl: string;
  ingestUrl: string;
  purgeUrl: string;
  superuserUrl: string;
  /** Ends connections that are still open. */
  drop(): Promise<void>;
}

/** Copies the template database of this run, about 50 ms. One per test file is usual; the cluster is shared. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { superuserUrl, passwords } = testServices();
  const name = `test_${randomBytes(6).toString('hex')}`;
  await asSuperuser(async (client) => {
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE} OWNER perdure_owner`);
    // Privileges on the database itself are not copied with it; connecting is all that bootstrapRoles grants there.
    await client.query(
      'UPDATE pg_database SET datacl = (SELECT datacl FROM pg_database WHERE datname = $1) WHERE datname = $2',
      [TEMPLATE, name],
    );
  });
  return { name, ...databaseUrls(databaseUrl(superuserUrl, name), passwords), drop: () => dropDatabase(name) };
}

/** The url of a database for every role. */
export function databaseUrls(
  url: string,
  passwords: Readonly<Record<RoleName, string>>,
): Omit<TestDatabase, 'name' | 'drop'> {
  return {
    appUrl: roleUrl(url, 'perdure_app', passwords),
    ownerUrl: roleUrl(url, 'perdure_owner', passwords),
    writerUrl: roleUrl(url, 'perdure_writer', passwords),
    ingestUrl: roleUrl(url, 'perdure_ingest', passwords),
    purgeUrl: roleUrl(url, 'perdure_purge', passwords),
    superuserUrl: url,
  };
}

export function dropDatabase(name: string): Promise<void> {
  return asSuperuser(async (client) => {
    await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  });
}

/** A connection to the cluster's own database, closed again. */
export async function asSuperuser(work: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: testServices().superuserUrl });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
