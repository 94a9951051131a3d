import { randomBytes } from 'node:crypto';
import { catalogue } from '@perdure/contracts';
import { createDataSource, recordAuditEvent, withWorkspace, type Transaction } from '@perdure/store';
import { createTestInstallation, type TestInstallation, type TestWorkspace } from '@perdure/testkit';
import { Pool } from 'pg';

/** A real installation with the roles' own connections: `app` records events, `writer` links them, `admin` sees all. */
export interface AuditBench {
  installation: TestInstallation;
  admin: Pool;
  writer: Pool;
  /** Commits `count` events in transactions of `perCommit`; answers with their ids in order. */
  record(workspaceId: string, count: number, perCommit?: number): Promise<string[]>;
  /** Runs `work` with one event recorded and not committed. */
  whileUncommitted<Result>(workspaceId: string, work: (eventId: string) => Promise<Result>): Promise<Result>;
  /** Event ids in the order of the chain. Fails when there is a gap. */
  chainOf(workspaceId: string): Promise<string[]>;
  pendingCount(): Promise<number>;
  /** Changes rows past the append-only triggers, as somebody with the database's keys could. */
  tamper(sql: string, parameters: unknown[]): Promise<void>;
  /** Findings of `verify_audit_chain`, as an auditor gets them. */
  findings(workspace: TestWorkspace): Promise<string[]>;
  newWriterPool(): Pool;
  close(): Promise<void>;
}

export async function openAuditBench(): Promise<AuditBench> {
  const installation = await createTestInstallation();
  const { appUrl, superuserUrl, writerUrl } = installation.database;
  const app = await createDataSource({ url: appUrl, poolSize: 20, applicationName: 'test' });
  const admin = quietPool(superuserUrl, 4);
  const writers: Pool[] = [];
  const newWriterPool = () => {
    const pool = quietPool(writerUrl, 4);
    writers.push(pool);
    return pool;
  };
  return {
    installation,
    admin,
    writer: newWriterPool(),
    newWriterPool,
    async record(workspaceId, count, perCommit = 1) {
      const eventIds = Array.from({ length: count }, () => newUlid());
      for (let first = 0; first < count; first += perCommit) {
        const ids = eventIds.slice(first, first + perCommit);
        await withWorkspace(app, workspaceId, async (tx) => {
          for (const eventId of ids) recordOne(tx, eventId);
        });
      }
      return eventIds;
    },
    whileUncommitted: (workspaceId, work) =>
      withWorkspace(app, workspaceId, async (tx) => {
        const eventId = newUlid();
        recordOne(tx, eventId);
        return work(eventId);
      }),
    async chainOf(workspaceId) {
      const { rows } = await admin.query<{ seq: string; event_id: string }>(
        'SELECT seq, event_id FROM audit_entry WHERE workspace_id = $1 ORDER BY seq',
        [workspaceId],
      );
      const gap = rows.findIndex((row, index) => Number(row.seq) !== index);
      if (gap >= 0) throw new Error(`entry ${gap} is missing`);
      return rows.map((row) => row.event_id);
    },
    async pendingCount() {
      const { rows } = await admin.query<{ count: number }>('SELECT count(*)::int AS count FROM audit_pending');
      return rows[0]?.count ?? 0;
    },
    async tamper(sql, parameters) {
      const client = await admin.connect();
      try {
        await client.query('SET ROLE perdure_purge');
        await client.query(sql, parameters);
      } finally {
        await client.query('RESET ROLE');
        client.release();
      }
    },
    async findings(workspace) {
      const result = await installation.call(catalogue.audit.verifyAuditChain, workspace.owner, {});
      return result.findings.map(({ kind, seq }) => (seq === undefined ? kind : `${kind}@${seq}`));
    },
    async close() {
      await Promise.all([admin, ...writers].filter((pool) => !pool.ended).map((pool) => pool.end()));
      await app.destroy();
      await installation.close();
    },
  };
}

/** Time and randomness as in a ULID; monotonic only by accident, which is the point: order comes from elsewhere. */
export function newUlid(): string {
  const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
  return `01K${[...randomBytes(23)].map((byte) => alphabet[byte % 32]).join('')}`;
}

function recordOne(tx: Transaction, eventId: string): void {
  recordAuditEvent(tx, {
    eventId,
    type: 'project.updated',
    at: new Date().toISOString(),
    actorId: newUlid(),
    subjectId: newUlid(),
    payload: { name: 'perdure', changed: ['name'] },
  });
}

function quietPool(connectionString: string, max: number): Pool {
  const pool = new Pool({ connectionString, max });
  pool.on('error', () => undefined);
  return pool;
}
