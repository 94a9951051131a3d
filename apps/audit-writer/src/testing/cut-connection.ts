import type { Pool, PoolClient } from 'pg';

/**
 * The pool, with connections that the server cuts just before their `nth` statement: what is left behind is what a
 * writer killed at this point leaves behind. `cut` tells whether it came that far.
 */
export function poolCutBefore(
  nth: number,
  { pool, admin }: { pool: Pool; admin: Pool },
): { pool: Pool; cut: () => boolean } {
  let statements = 0;
  const interrupted = (client: PoolClient): PoolClient =>
    new Proxy(client, {
      get(target, name) {
        if (name !== 'query') return bound(target, name);
        return async (...call: [string, unknown[]?]) => {
          statements += 1;
          if (statements === nth) await endBackend(target, admin);
          return target.query(...call);
        };
      },
    });
  const cutting = new Proxy(pool, {
    get: (target, name) => (name === 'connect' ? async () => interrupted(await target.connect()) : bound(target, name)),
  });
  return { pool: cutting, cut: () => statements >= nth };
}

async function endBackend(client: PoolClient, admin: Pool): Promise<void> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  await admin.query('SELECT pg_terminate_backend($1, 5000)', [rows[0]?.pid]);
}

function bound(target: object, name: string | symbol): unknown {
  const value: unknown = Reflect.get(target, name);
  return typeof value === 'function' ? value.bind(target) : value;
}
