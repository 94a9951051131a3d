import type { DataSource } from 'typeorm';
import { escapeIdentifier } from 'pg';
import { setTenantSql } from './transaction.js';

/** Answers kept for replays, links that sign somebody in, browsers that are: nothing that a tenant would take along. */
const LEFT_OUT = ['idempotency_record', 'sign_in_link', 'web_session'];
/** Columns by which a credential, a session or a grant is recognised; digests of them are no more use elsewhere. */
const SECRET_COLUMN = /secret|token|verifier|challenge/;
const ROWS_AT_ONCE = 200;

interface PostgresClient {
  query(sql: string, parameters?: unknown[]): Promise<{ rows: unknown[] }>;
}

interface TenantTable {
  readonly name: string;
  readonly columns: readonly string[];
  readonly key: readonly string[];
}

/** A row of a tenant's table as JSON text, `{"table": …, "row": {…}}`. */
export interface WorkspaceRow {
  readonly table: string;
  readonly json: string;
}

/**
 * Every row of a workspace, table by table in the order of their keys, as of one moment: a REPEATABLE READ transaction
 * that lasts as long as somebody reads. New tables are in it by being there. Memory holds 200 rows at a time.
 */
export async function* streamWorkspaceRows(dataSource: DataSource, workspaceId: string): AsyncGenerator<WorkspaceRow> {
  const runner = dataSource.createQueryRunner();
  const client: PostgresClient = await runner.connect();
  try {
    await client.query(
      `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL TimeZone = 'UTC'; ${setTenantSql(workspaceId)}`,
    );
    for (const table of await tenantTables(client)) yield* rowsOf(client, table, workspaceId);
  } finally {
    await client.query('ROLLBACK').catch(() => undefined); // read only: there is nothing to keep
    await runner.release();
  }
}

async function* rowsOf(client: PostgresClient, table: TenantTable, workspaceId: string): AsyncGenerator<WorkspaceRow> {
  const secrets = table.columns.filter((column) => SECRET_COLUMN.test(column));
  await client.query(
    `DECLARE exported NO SCROLL CURSOR FOR
     SELECT json_build_object('table', '${table.name}', 'row', to_jsonb(t) - '{${secrets.join(',')}}'::text[])::text AS json
     FROM ${escapeIdentifier(table.name)} t WHERE workspace_id = '${workspaceId}'
     ORDER BY ${table.key.map(escapeIdentifier).join(', ')}`,
  );
  for (;;) {
    const { rows } = await client.query(`FETCH ${ROWS_AT_ONCE} FROM exported`);
    const found = rows as { json: string }[]; // the column of the cursor's statement
    for (const { json } of found) yield { table: table.name, json };
    if (rows.length < ROWS_AT_ONCE) break;
  }
  await client.query('CLOSE exported');
}

/** Tables with a workspace that this role may read, with their columns and primary keys. */
async function tenantTables(client: PostgresClient): Promise<TenantTable[]> {
  const { rows } = await client.query(
    `SELECT c.relname AS name,
       array(SELECT attname::text FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped) AS columns,
       array(SELECT a.attname::text FROM pg_index i JOIN unnest(i.indkey) WITH ORDINALITY AS k (attnum, place) ON true
             JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.attnum
             WHERE i.indrelid = c.oid AND i.indisprimary ORDER BY k.place) AS key
     FROM pg_class c
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
       AND has_table_privilege(c.oid, 'SELECT') AND NOT c.relname = ANY($1)
       AND EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'workspace_id')
     ORDER BY c.relname`,
    [LEFT_OUT],
  );
  return rows as TenantTable[]; // the columns of the statement above
}
