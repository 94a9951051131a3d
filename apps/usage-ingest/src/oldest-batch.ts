import type { WaitingWork } from '@perdure/service';
import type { Pool } from 'pg';

/** The batch that has waited longest, outside of those that failed. Answered from a partial index. */
export async function oldestBatch(pool: Pool, except: ReadonlySet<string>): Promise<WaitingWork | null> {
  const { rows } = await pool.query<WaitingWork>(
    `SELECT id AS key, extract(epoch FROM clock_timestamp() - received_at)::float8 AS "ageSeconds"
     FROM usage_batch WHERE status = 'received' AND id <> ALL ($1::text[]) ORDER BY received_at, id LIMIT 1`,
    [[...except]],
  );
  return rows[0] ?? null;
}
