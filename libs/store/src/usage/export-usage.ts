import type { DataSource } from 'typeorm';
import { slotsInRange, type UsageFilter } from '../repositories/usage-totals.js';
import { setTenantSql, type Transaction } from '../transaction.js';

/** A row of an export; the keys are the columns of its CSV. */
export type ExportedUsage = Readonly<Record<string, string | number | boolean | null>>;

const ROWS_AT_ONCE = 1_000;

/** By transcript, model and day in UTC; the order of the columns is that of the file. */
const exportSql = (range: Pick<UsageFilter, 'from' | 'to'>) => `
  SELECT json_build_object('day', to_char(d.day, 'YYYY-MM-DD'), 'project', p.slug, 'build_session_id',
    d.build_session_id, 'actor', a.name, 'client', d.client, 'transcript_id', d.transcript_id, 'parent_transcript_id',
    r.parent_transcript_id, 'model', d.model, 'quality', CASE WHEN d.is_estimated THEN 'estimated' ELSE 'exact' END,
    'turns', d.turns, 'input_tokens', d.input_tokens, 'output_tokens', d.output_tokens, 'cache_write_5m_tokens',
    d.cache_write_5m_tokens, 'cache_write_1h_tokens', d.cache_write_1h_tokens, 'cache_read_tokens',
    d.cache_read_tokens) AS row
  FROM (
    SELECT (u.slot_at AT TIME ZONE $4)::date AS day, u.transcript_id, u.model, u.build_session_id, u.project_id,
      u.actor_id, u.client, u.is_estimated, sum(u.turns) AS turns, sum(u.input_tokens) AS input_tokens,
      sum(u.output_tokens) AS output_tokens, sum(u.cache_write_5m_tokens) AS cache_write_5m_tokens,
      sum(u.cache_write_1h_tokens) AS cache_write_1h_tokens, sum(u.cache_read_tokens) AS cache_read_tokens
    FROM usage_slot u WHERE ${slotsInRange(range)} GROUP BY 1, 2, 3, 4, 5, 6, 7, 8
  ) d
  JOIN usage_report r ON r.workspace_id = $1 AND r.transcript_id = d.transcript_id
  LEFT JOIN build_session s ON s.workspace_id = $1 AND s.id = d.build_session_id
  LEFT JOIN project p ON p.workspace_id = $1 AND p.id = coalesce(s.project_id, d.project_id)
  JOIN actor a ON a.workspace_id = $1 AND a.id = d.actor_id
  ORDER BY d.day, d.transcript_id COLLATE "C", d.model COLLATE "C"`;

interface ExportRow {
  readonly row: ExportedUsage;
}

/** The first rows of an export, one more than `limit` where there are more. */
export async function readExport(
  tx: Transaction,
  range: Pick<UsageFilter, 'from' | 'to'>,
  limit: number,
): Promise<ExportedUsage[]> {
  const rows = await tx.rows<ExportRow>(`${exportSql(range)} LIMIT ${limit + 1}`, [
    tx.workspaceId,
    range.from,
    range.to,
    'UTC',
  ]);
  return rows.map(({ row }) => row);
}

interface PostgresClient {
  query(sql: string, parameters?: unknown[]): Promise<{ rows: ExportRow[] }>;
}

/** All rows as of one moment, from a cursor that is open as long as somebody reads. Memory holds 1,000 of them. */
export async function* streamExport(
  dataSource: DataSource,
  workspaceId: string,
  { from, to }: Pick<UsageFilter, 'from' | 'to'>,
): AsyncGenerator<ExportedUsage> {
  const runner = dataSource.createQueryRunner();
  const client: PostgresClient = await runner.connect();
  try {
    await client.query(`BEGIN READ ONLY; ${setTenantSql(workspaceId)}`);
    await client.query(`DECLARE export NO SCROLL CURSOR FOR ${exportSql({ from, to })}`, [
      workspaceId,
      from,
      to,
      'UTC',
    ]);
    for (;;) {
      const { rows } = await client.query(`FETCH ${ROWS_AT_ONCE} FROM export`);
      for (const { row } of rows) yield row;
      if (rows.length < ROWS_AT_ONCE) return;
    }
  } finally {
    await client.query('ROLLBACK').catch(() => undefined); // read only: there is nothing to keep
    await runner.release();
  }
}
