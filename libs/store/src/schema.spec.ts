import { createTestDatabase, type TestDatabase } from '@perdure/testkit';
import { Client } from 'pg';
import type { DataSource } from 'typeorm';
import { assertUnprivileged, createDataSource } from './data-source.js';
import { migrate } from './migrate.js';
import { ROLES } from './roles.js';

interface ColumnRow {
  readonly column_name: string;
  readonly data_type: string;
  readonly nullable: boolean;
}

describe('the schema', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let client: Client;

  beforeAll(async () => {
    database = await createTestDatabase();
    dataSource = await createDataSource({ url: database.appUrl, poolSize: 1, applicationName: 'test' });
    client = new Client({ connectionString: database.ownerUrl });
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await dataSource.destroy();
    await database.drop();
  });

  it('every entity describes its table as it is: columns, types, what may be null, primary key', async () => {
    for (const { tableName, columns, primaryColumns } of dataSource.entityMetadatas) {
      const { rows } = await client.query<ColumnRow>(
        `SELECT a.attname AS column_name, format_type(coalesce(nullif(t.typbasetype, 0), t.oid), NULL) AS data_type, NOT a.attnotnull AS nullable
         FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
         WHERE a.attrelid = $1::regclass AND a.attnum > 0 AND NOT a.attisdropped
           AND t.typname <> 'xid8' -- TypeORM does not know transaction numbers
         ORDER BY 1`,
        [tableName],
      );
      const described = columns
        .map((column) => ({
          column_name: column.databaseName,
          data_type: typeName(String(column.type), column.isArray),
          nullable: column.isNullable,
        }))
        .toSorted((a, b) => (a.column_name < b.column_name ? -1 : 1));
      expect({ tableName, columns: described }).toEqual({ tableName, columns: rows });
      const { rows: key } = await client.query<{ attname: string }>(
        `SELECT a.attname FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY(i.indkey)
         WHERE i.indrelid = $1::regclass AND i.indisprimary`,
        [tableName],
      );
      expect(primaryColumns.map((column) => column.databaseName).toSorted()).toEqual(
        key.map((row) => row.attname).toSorted(),
      );
    }
  });

  it('every primary key of a tenant table leads with the workspace', async () => {
    const { rows } = await client.query<{ table: string }>(
      `SELECT c.relname AS table FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid JOIN pg_namespace n ON n.oid = c.relnamespace
       JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0]
       WHERE n.nspname = 'public' AND i.indisprimary AND a.attname <> 'workspace_id'`,
    );
    // The two of authorization have no tenant (ADR 0018), nor have the counters of addresses.
    expect(rows.map((row) => row.table).sort()).toEqual([
      'oauth_artifact',
      'oauth_client',
      'rate_limit',
      'schema_migration',
    ]);
  });

  it('A3, D3: every append-only table has its row and its TRUNCATE guard, enabled ALWAYS', async () => {
    const { rows } = await client.query<{ table: string; guards: number }>(
      `SELECT c.relname AS table, count(*)::int AS guards FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
       WHERE NOT t.tgisinternal AND t.tgenabled = 'A' GROUP BY 1 ORDER BY 1`,
    );
    const appendOnly = [
      'audit_entry',
      'audit_event',
      'audit_payload',
      'audit_quarantine',
      'decision',
      'rule_revision',
      'transition',
    ];
    expect(rows).toEqual(appendOnly.map((table) => ({ table, guards: 2 })));
  });

  it.each(['audit_event', 'audit_payload', 'audit_entry', 'audit_quarantine', 'transition'])(
    'A3: %s refuses TRUNCATE to its owner',
    async (table) => {
      await expect(client.query(`TRUNCATE ${table} CASCADE`)).rejects.toMatchObject({ code: '42501' });
    },
  );

  it('no role of the product is superuser or bypasses row-level security', async () => {
    const { rows } = await client.query<{ rolname: string }>(
      `SELECT rolname FROM pg_roles WHERE rolname = ANY($1) AND (rolsuper OR rolbypassrls)`,
      [[...ROLES, 'perdure_auth']],
    );
    expect(rows).toEqual([]);
  });

  it('a process refuses to run as the owner of its tables or as superuser', async () => {
    await expect(assertUnprivileged(dataSource)).resolves.toBeUndefined();
    for (const [url, fault] of [
      [database.ownerUrl, 'owns the table'],
      [database.superuserUrl, 'is a superuser'],
    ] as const) {
      const other = await createDataSource({ url, poolSize: 1, applicationName: 'test' });
      await expect(assertUnprivileged(other)).rejects.toThrow(fault);
      await other.destroy();
    }
  });

  it('O4: migrating an up-to-date database changes nothing, also five at once', async () => {
    const applied = await Promise.all(Array.from({ length: 5 }, () => migrate(database.ownerUrl)));
    expect(applied.flat()).toEqual([]);
  });
});

function typeName(type: string, isArray: boolean): string {
  const names: Record<string, string> = { timestamptz: 'timestamp with time zone', int: 'integer' };
  return `${names[type] ?? type}${isArray ? '[]' : ''}`;
}
