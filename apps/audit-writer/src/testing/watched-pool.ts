import type { Pool, PoolClient } from 'pg';

/** The pool, with clients that do `before` ahead of every statement of theirs. */
export function watchedPool(pool: Pool, before: (sql: string, client: PoolClient) => Promise<void> | void): Pool {
  const watched = (client: PoolClient): PoolClient =>
    new Proxy(client, {
      get(target, name) {
        if (name !== 'query') return bound(target, name);
        return async (...call: [string, unknown[]?]) => {
          await before(call[0], target);
          return target.query(...call);
        };
      },
    });
  return new Proxy(pool, {
    get: (target, name) => (name === 'connect' ? async () => watched(await target.connect()) : bound(target, name)),
  });
}

function bound(target: object, name: string | symbol): unknown {
  const value: unknown = Reflect.get(target, name);
  return typeof value === 'function' ? value.bind(target) : value;
}
