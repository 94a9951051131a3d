import { catalogue } from '@perdure/contracts';
import type { TestActor } from '@perdure/testkit';
import type { Pool } from 'pg';
import { OFFICIAL_CLIENTS } from './official-clients.js';
import { wholeStack, type WholeStack } from './whole-stack.js';

/** Tables that a gateway scanned while every official client shook hands with it, and while one of them listed sessions. */
export interface HandshakeReads {
  readonly byHandshakes: readonly string[];
  /** The proof that a scan would have been seen. */
  readonly byList: readonly string[];
}

/** In a database of its own, where nobody else's scans are counted; its workspace has that many sessions. */
export async function handshakeReads(sessionCount: number): Promise<HandshakeReads> {
  const stack = await wholeStack();
  try {
    const workspace = await stack.installation.workspace();
    const agent = await workspace.actor('agent');
    const { project } = await stack.installation.call(catalogue.projects.createProject, agent, { name: 'p' });
    await storeSessions(stack.admin, { workspaceId: workspace.id, projectId: project.id, agent }, sessionCount);
    await endOtherBackends(stack.admin);
    const byHandshakes = await tablesScannedBy(stack, async (url) => {
      for (const [, connect] of OFFICIAL_CLIENTS) await (await connect(url, agent.token)).close();
    });
    const byList = await tablesScannedBy(stack, async (url) => {
      const client = await OFFICIAL_CLIENTS[0]?.[1](url, agent.token);
      await client?.call('list_build_sessions', { limit: 1 });
      await client?.close();
    });
    return { byHandshakes, byList };
  } finally {
    await stack.close();
  }
}

/** Ended sessions in bulk, past the operations and the triggers of the foreign keys: 1,000,000 in about 15 s. */
async function storeSessions(
  admin: Pool,
  { workspaceId, projectId, agent }: { workspaceId: string; projectId: string; agent: TestActor },
  count: number,
): Promise<void> {
  const client = await admin.connect();
  try {
    await client.query('BEGIN; SET LOCAL session_replication_role = replica');
    await client.query(
      `INSERT INTO build_session (workspace_id, id, project_id, actor_id, computer, branch, status, started_at,
         last_pinged_at, last_active_at, ended_at)
       SELECT $1, '01K' || lpad(n::text, 23, '0'), $2, $3, 'mac-1', 'b' || n, 'ended', now(), now(), now(), now()
       FROM generate_series(1, $4::int) n`,
      [workspaceId, projectId, agent.caller.actor.id, count],
    );
    await client.query('COMMIT');
  } finally {
    client.release();
  }
}

/**
 * Ends every other connection to the database and waits until they are gone: an idle one hands in its counters seconds
 * later, which would be put down to the gateway that is looked at then.
 */
async function endOtherBackends(admin: Pool): Promise<void> {
  const client = await admin.connect();
  try {
    await client.query(
      `SELECT pg_terminate_backend(pid, 30000) FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    );
  } finally {
    client.release();
  }
}

/** On a gateway that is stopped afterwards: a backend hands in its counters when it ends. */
async function tablesScannedBy(stack: WholeStack, work: (url: string) => Promise<void>): Promise<string[]> {
  const gateway = await stack.start('mcp-gateway');
  const before = await scans(stack.admin);
  await work(`${gateway.url}/mcp`);
  await gateway.stop();
  const after = await scans(stack.admin);
  return Object.keys(after).filter((table) => after[table] !== before[table]);
}

async function scans(admin: Pool): Promise<Record<string, number>> {
  const { rows } = await admin.query<{ name: string; scans: number }>(
    `SELECT relname AS name, (seq_scan + coalesce(idx_scan, 0))::float8 AS scans FROM pg_stat_user_tables`,
  );
  return Object.fromEntries(rows.map((row) => [row.name, row.scans]));
}
