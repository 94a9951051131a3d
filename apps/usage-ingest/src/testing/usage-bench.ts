import { randomBytes } from 'node:crypto';
import { createTestInstallation, type TestInstallation, type TestWorkspace } from '@perdure/testkit';
import { catalogue } from '@perdure/contracts';
import { Pool } from 'pg';

/** A real installation, the ingest role's own pool, and an `admin` that sees all. */
export interface UsageBench {
  installation: TestInstallation;
  admin: Pool;
  ingest: Pool;
  newIngestPool(): Pool;
  /** Puts a batch into the inbox, one item a line from 1 on; answers with its id. */
  submit(workspaceId: string, reports: readonly unknown[]): Promise<string>;
  resultsOf(batchId: string): Promise<{ line: number; status: string; code: string | null; message: string | null }[]>;
  statusOf(batchId: string): Promise<{ status: string; counts: unknown }>;
  /** The stored report of a transcript, null when there is none. */
  stored(
    workspaceId: string,
    transcriptId: string,
  ): Promise<{ report: unknown; build_session_id: string | null } | null>;
  /** Output tokens that each transcript counts for, without those that count for none. */
  outputs(workspaceId: string): Promise<Record<string, number>>;
  buildSession(workspace: TestWorkspace): Promise<string>;
  close(): Promise<void>;
}

export async function openUsageBench(): Promise<UsageBench> {
  const installation = await createTestInstallation();
  const { superuserUrl, ingestUrl } = installation.database;
  const pools: Pool[] = [];
  const openPool = (connectionString: string) => {
    const pool = new Pool({ connectionString, max: 4 });
    pool.on('error', () => undefined);
    pools.push(pool);
    return pool;
  };
  const admin = openPool(superuserUrl);
  return {
    installation,
    admin,
    ingest: openPool(ingestUrl),
    newIngestPool: () => openPool(ingestUrl),
    async submit(workspaceId, reports) {
      const batchId = newUlid();
      // One statement, as the batch is durable with all its lines or not at all.
      await admin.query(
        `WITH batch AS (
           INSERT INTO usage_batch (workspace_id, id, batch_key, actor_id, received_count, received_at)
           VALUES ($1, $2, $3::text, $3::text, $4, clock_timestamp())
         )
         INSERT INTO usage_batch_item (workspace_id, batch_id, line, report)
         SELECT $1, $2, ordinality, report FROM unnest($5::jsonb[]) WITH ORDINALITY AS r (report, ordinality)`,
        [workspaceId, batchId, newUlid(), reports.length, reports.map((report) => JSON.stringify(report))],
      );
      return batchId;
    },
    async resultsOf(batchId) {
      const sql = 'SELECT line, status, code, message FROM usage_batch_item WHERE batch_id = $1 ORDER BY line';
      return (await admin.query(sql, [batchId])).rows;
    },
    async statusOf(batchId) {
      return (await admin.query('SELECT status, counts FROM usage_batch WHERE id = $1', [batchId])).rows[0];
    },
    async stored(workspaceId, transcriptId) {
      const sql = 'SELECT report, build_session_id FROM usage_report WHERE workspace_id = $1 AND transcript_id = $2';
      return (await admin.query(sql, [workspaceId, transcriptId])).rows[0] ?? null;
    },
    async outputs(workspaceId) {
      const { rows } = await admin.query<{ transcript_id: string; output: string }>(
        `SELECT transcript_id, sum(output_tokens) AS output FROM usage_slot WHERE workspace_id = $1
         GROUP BY 1 HAVING sum(output_tokens) > 0`,
        [workspaceId],
      );
      return Object.fromEntries(rows.map((row) => [row.transcript_id, Number(row.output)]));
    },
    async buildSession(workspace) {
      const agent = await workspace.actor('agent');
      const slug = `p-${randomBytes(4).toString('hex')}`;
      await installation.call(catalogue.projects.createProject, agent, { name: slug, slug });
      const started = await installation.call(catalogue.sessions.startBuildSession, agent, {
        project: slug,
        computer: 'c',
        branch: 'main',
      });
      return started.build_session.id;
    },
    async close() {
      await Promise.all(pools.map((pool) => pool.end()));
      await installation.close();
    },
  };
}

export interface ReportOptions {
  version?: [generation: number, completeBytes: number, records: number];
  output?: number;
  buildSessionId?: string;
}

/** A sound report of one model. */
export function report(transcriptId: string, { version, output = 1, buildSessionId }: ReportOptions = {}) {
  const [generation, complete_bytes, records] = version ?? [];
  return {
    transcript_id: transcriptId,
    client: 'claude-code',
    ...(version ? { version: { generation, complete_bytes, records } } : {}),
    ...(buildSessionId ? { build_session_id: buildSessionId } : {}),
    models: [
      {
        model: 'model-a',
        turns: 1,
        input_tokens: 10,
        output_tokens: output,
        cache_write_5m_tokens: 0,
        cache_write_1h_tokens: 0,
        cache_read_tokens: 0,
      },
    ],
  };
}

function newUlid(): string {
  const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
  return `01K${[...randomBytes(23)].map((byte) => alphabet[byte % 32]).join('')}`;
}
