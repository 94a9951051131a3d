import type { Pool } from 'pg';

/** Linking goes on meanwhile; that an event was added shows in `audit_event`. */
const OF_THE_WRITER = ['audit_pending', 'audit_entry', 'audit_head'];

/** Processes write these by themselves: last uses of credentials, and how much a workspace stores, measured now and then. */
const OF_PROCESSES = ['last_used_at', 'stored_bytes', 'stored_bytes_measured_at'];

/** Rows and content of every table but the writer's; equal ones mean that no call wrote anything in between. */
export async function databaseSnapshot(admin: Pool): Promise<Record<string, string>> {
  const { rows: tables } = await admin.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND NOT tablename = ANY($1)`,
    [OF_THE_WRITER],
  );
  const each = tables.map(
    ({ name }) =>
      `SELECT '${name}' AS name, count(*) || ' rows, ' || coalesce(sum(hashtextextended((to_jsonb(t) - $1::text[])::text, 0)), 0) AS content FROM ${name} t`,
  );
  const { rows } = await admin.query<{ name: string; content: string }>(each.join(' UNION ALL '), [OF_PROCESSES]);
  return Object.fromEntries(rows.map(({ name, content }) => [name, content]));
}
