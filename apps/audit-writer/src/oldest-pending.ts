import type { WaitingWork } from '@perdure/service';
import type { Pool } from 'pg';

/** The event that has waited longest, outside of `except`. Answered from the index on `enqueued_at`. */
export async function oldestPending(pool: Pool, except: ReadonlySet<string>): Promise<WaitingWork | null> {
  const { rows } = await pool.query<WaitingWork>(
    `SELECT workspace_id || '/' || id AS key, extract(epoch FROM clock_timestamp() - enqueued_at)::float8 AS "ageSeconds"
     FROM audit_pending WHERE workspace_id <> ALL ($1::text[]) ORDER BY enqueued_at LIMIT 1`,
    [[...except]],
  );
  return rows[0] ?? null;
}
