import type { Pool, PoolClient } from 'pg';
import { watchedPool } from './watched-pool.js';

/**
 * The pool, with connections that the server cuts just before their `nth` statement: what is left behind is what a
 * writer killed at this point leaves behind. `cut` tells whether it came that far.
 */
export function poolCutBefore(
  nth: number,
  { pool, admin }: { pool: Pool; admin: Pool },
): { pool: Pool; cut: () => boolean } {
  let statements = 0;
  const cutting = watchedPool(pool, async (_sql, client) => {
    statements += 1;
    if (statements === nth) await endBackend(client, admin);
  });
  return { pool: cutting, cut: () => statements >= nth };
}

async function endBackend(client: PoolClient, admin: Pool): Promise<void> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  await admin.query('SELECT pg_terminate_backend($1, 5000)', [rows[0]?.pid]);
}
