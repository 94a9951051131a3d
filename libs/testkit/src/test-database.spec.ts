import { Client } from 'pg';
import { createTestDatabase } from './test-database.js';

async function ask<Row extends object>(url: string, text: string): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<Row>(text);
    return rows;
  } finally {
    await client.end();
  }
}

describe('createTestDatabase', () => {
  it('gives a migrated database in which every role of the design can log in', async () => {
    const database = await createTestDatabase();
    const urls = [database.appUrl, database.ownerUrl, database.writerUrl, database.ingestUrl, database.purgeUrl];
    const names = await Promise.all(urls.map((url) => ask<{ name: string }>(url, 'SELECT current_user AS name')));
    expect(names.flat().map(({ name }) => name)).toEqual([
      'perdure_app',
      'perdure_owner',
      'perdure_writer',
      'perdure_ingest',
      'perdure_purge',
    ]);
    const tables = await ask<{ found: boolean }>(
      database.appUrl,
      `SELECT to_regclass('workspace') IS NOT NULL AS found`,
    );
    expect(tables).toEqual([{ found: true }]);
    await database.drop();
  });

  it('copies the privileges of the template on the database: PUBLIC may not even connect', async () => {
    const database = await createTestDatabase();
    const rows = await ask<{ may: boolean }>(
      database.superuserUrl,
      `SELECT EXISTS (SELECT FROM pg_database, aclexplode(datacl) WHERE datname = current_database() AND grantee = 0) AS may`,
    );
    expect(rows).toEqual([{ may: false }]);
    await database.drop();
  });

  it('keeps the databases of two test files apart, and dropping one ends its open connections', async () => {
    const [one, other] = await Promise.all([createTestDatabase(), createTestDatabase()]);
    await ask(one.superuserUrl, 'CREATE TABLE marker (id int)');
    const seen = await ask<{ found: boolean }>(other.superuserUrl, `SELECT to_regclass('marker') IS NOT NULL AS found`);
    expect(seen).toEqual([{ found: false }]);
    const idle = new Client({ connectionString: one.appUrl });
    idle.on('error', () => undefined);
    const closed = new Promise((resolve) => idle.once('end', resolve));
    await idle.connect();
    await one.drop();
    await closed;
    await expect(ask(one.appUrl, 'SELECT 1')).rejects.toMatchObject({ code: '3D000' });
    await other.drop();
  });
});
