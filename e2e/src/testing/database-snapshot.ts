import type { Pool } from 'pg';

/** Linking goes on meanwhile; that an event was added shows in `audit_event`. */
const OF_THE_WRITER = ['audit_pending', 'audit_entry', 'audit_head'];

/**
 * Rows and content of every table but the writer's, without the last uses of credentials, which processes write by themselves;  equal ones mean that no call wrote anything in between.
 */
export async function databaseSnapshot(admin: Pool): Promise<Record<string, string>> {
  const { rows: tables } = await admin.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND NOT tablename = ANY($1)`,
    [OF_THE_WRITER],
  );
  const each = tables.map(
    ({ name }) =>
      `SELECT '${name}' AS name, count(*) || ' rows, ' || coalesce(sum(hashtextextended((to_jsonb(t) - 'last_used_at')::text, 0)), 0) AS content FROM ${name} t`,
  );
  const { rows } = await admin.query<{ name: string; content: string }>(each.join(' UNION ALL '));
  return Object.fromEntries(rows.map(({ name, content }) => [name, content]));
}
