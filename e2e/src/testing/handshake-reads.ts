import type { FieldWorld } from './field-world.js';
import { OFFICIAL_CLIENTS } from './official-clients.js';

/** Ended sessions in bulk, past the operations: the triggers of the foreign keys would take longer than all the rest. */
export async function storeSessions({ stack, workspaceId, names }: FieldWorld, count: number): Promise<void> {
  const client = await stack.admin.connect();
  try {
    await client.query('BEGIN; SET LOCAL session_replication_role = replica');
    await client.query(
      `INSERT INTO build_session (workspace_id, id, project_id, actor_id, computer, branch, status, started_at,
         last_pinged_at, last_active_at, ended_at)
       SELECT $1, '01K' || lpad(n::text, 23, '0'), $2, (SELECT min(id COLLATE "C") FROM actor WHERE workspace_id = $1),
         'mac-1', 'b' || n, 'ended', now(), now(), now(), now()
       FROM generate_series(1, $3::int) n`,
      [workspaceId, names['$P'], count],
    );
    await client.query('COMMIT');
  } finally {
    client.release();
  }
}

/** Tables of which a gateway read rows while every official client shook hands with it, and while one listed sessions. */
export interface HandshakeReads {
  readonly byHandshakes: readonly string[];
  /** The proof that a read would have been seen. */
  readonly byList: readonly string[];
}

export async function handshakeReads(world: FieldWorld): Promise<HandshakeReads> {
  const byHandshakes = await tablesReadBy(world, async (url, token) => {
    for (const [, connect] of OFFICIAL_CLIENTS) await (await connect(url, token)).close();
  });
  const byList = await tablesReadBy(world, async (url, token) => {
    const [newest] = OFFICIAL_CLIENTS;
    const client = await newest?.[1](url, token);
    await client?.call('list_build_sessions', { limit: 1 });
    await client?.close();
  });
  return { byHandshakes, byList };
}

/** On a gateway of its own that is stopped afterwards: a backend hands in its counters when it ends. */
async function tablesReadBy(
  { stack, workspaceId }: FieldWorld,
  work: (url: string, token: string) => Promise<void>,
): Promise<string[]> {
  const { token } = await stack.installation.workspaceById(workspaceId);
  const gateway = await stack.start('mcp-gateway');
  const before = await rowsRead(stack);
  await work(`${gateway.url}/mcp`, token);
  await gateway.stop();
  const after = await rowsRead(stack);
  return Object.keys(after).filter((table) => after[table] !== before[table]);
}

async function rowsRead({ admin }: FieldWorld['stack']): Promise<Record<string, number>> {
  const { rows } = await admin.query<{ name: string; read: number }>(
    `SELECT relname AS name, (seq_tup_read + coalesce(idx_tup_fetch, 0))::float8 AS read FROM pg_stat_user_tables`,
  );
  return Object.fromEntries(rows.map(({ name, read }) => [name, read]));
}
