import { createRequire } from 'node:module';
import path from 'node:path';
import { REPOSITORY_ROOT } from '@perdure/stack/services';
import { Client, Pool } from 'pg';
import { asSuperuser, type BenchDatabase } from './bench-cluster.js';
import type { BenchContext } from './context.js';
import { openInstallation } from './installation.js';
import { storePendingEvents } from './pending-events.js';
import { rateFigure, type Figure, type Measurement } from './report.js';
import { compare, type Contestant } from './rounds.js';

/** Batch size, and how many events wait in front of each slot at full size: about two seconds of work. */
const BATCHES = [
  { batch: 1, waiting: 1_000 },
  { batch: 100, waiting: 6_000 },
  { batch: 1_000, waiting: 15_000 },
] as const;
/** Linking takes seconds at any batch, and its rows are used up: fewer slots than the others. */
const MOST_ROUNDS = 3;

/** The part of apps/audit-writer that is measured. An application exports nothing, so its built file is loaded. */
interface Writer {
  linkPending(
    pool: Pool,
    options: { maxWorkspaces: number; maxEvents: number; clock: () => string; after: string; alone: Set<string> },
  ): Promise<{ linked: number }>;
}

/** Events linked per second by batch size, against moving the same rows with SQL alone. */
export async function measureLinking({ cluster, plan, size }: BenchContext): Promise<Measurement> {
  const database = await cluster.createDatabase('bench_link');
  const rounds = Math.min(MOST_ROUNDS, plan.rounds);
  const figures: Figure[] = [];
  for (const { batch, waiting } of BATCHES) {
    const count = Math.max(batch * 2, Math.round(waiting * size));
    figures.push(await figureFor(database, batch, count, { rounds, slotMs: plan.slotMs }));
  }
  return {
    name: 'linking',
    title: 'Entries linked per second, one writer, one workspace',
    method: [
      'Ours: linkPending of the audit-writer over one connection: head locked, events and payloads read, both digests derived again, entries hashed and inserted, head moved, pending rows deleted, commit with fsync.',
      'Ceiling: DELETE of as many pending rows with RETURNING into an INSERT of as many entries of the same size, one statement and one commit per batch; nothing read, checked or hashed.',
    ],
    figures,
  };
}

async function figureFor(
  database: BenchDatabase,
  batch: number,
  count: number,
  plan: { rounds: number; slotMs: number },
): Promise<Figure> {
  const writer = loadWriter();
  const pool = new Pool({ connectionString: database.writerUrl, max: 1 });
  const ours: Contestant = async (ms) => {
    const workspaceId = await fillNewWorkspace(database, count);
    return timed(ms, count, async () => {
      const { linked } = await writer.linkPending(pool, {
        maxWorkspaces: 1,
        maxEvents: batch,
        clock: () => new Date().toISOString(),
        after: '',
        alone: new Set(),
      });
      return linked;
    }).finally(() => dropPending(database, workspaceId));
  };
  const ceiling: Contestant = async (ms) => {
    const workspaceId = await fillNewWorkspace(database, count);
    let linked = 0;
    return timed(ms, count, async () => {
      const { rowCount } = await pool.query(MOVE_ROWS, [workspaceId, batch, linked]);
      linked += rowCount ?? 0;
      return rowCount ?? 0;
    }).finally(() => dropPending(database, workspaceId));
  };
  const comparison = await compare(ours, ceiling, plan);
  await pool.end();
  return rateFigure(`batch ${batch}`, 'entries/s', comparison);
}

/** Ids in the order of the pending set, hashes of the right length, `linked_at` of the usual form. */
const MOVE_ROWS = `
  WITH moved AS (
    DELETE FROM audit_pending WHERE workspace_id = $1 AND id IN (
      SELECT id FROM audit_pending WHERE workspace_id = $1 ORDER BY id LIMIT $2)
    RETURNING id, event_id
  )
  INSERT INTO audit_entry (workspace_id, seq, event_id, event_digest, prev_hash, entry_hash, linked_at)
  SELECT $1, $3::bigint + row_number() OVER (ORDER BY id) - 1, event_id, sha256(event_id::bytea), sha256(event_id::bytea),
    sha256(event_id::bytea), '2026-01-15T12:00:00.000Z'
  FROM moved`;

/** Batches until the time is up or nothing waits; a latency is that of a batch. */
async function timed(ms: number, count: number, batch: () => Promise<number>) {
  const latencies: number[] = [];
  const startedAt = performance.now();
  let linked = 0;
  while (linked < count && performance.now() - startedAt < ms) {
    const batchAt = performance.now();
    linked += await batch();
    latencies.push(performance.now() - batchAt);
  }
  return { perSecond: (linked * 1000) / (performance.now() - startedAt), latencies };
}

async function fillNewWorkspace(database: BenchDatabase, count: number): Promise<string> {
  const installation = await openInstallation(database, { poolSize: 2 });
  const [agent] = await installation.agents(1, 1);
  await installation.close();
  if (agent === undefined) throw new Error('there is no agent');
  const client = new Client({ connectionString: database.ownerUrl });
  await client.connect();
  try {
    // What setting up the workspace has left to be linked would come first.
    await client.query('DELETE FROM audit_pending');
    await storePendingEvents(client, agent, count);
    await client.query('ANALYZE audit_pending, audit_event, audit_payload');
  } finally {
    await client.end();
  }
  // A checkpoint of its own, so that none falls into the slot that follows for the rows of this one.
  await asSuperuser(database.superuserUrl, (superuser) => superuser.query('CHECKPOINT'));
  return agent.caller.workspaceId;
}

async function dropPending(database: BenchDatabase, workspaceId: string): Promise<void> {
  await asSuperuser(database.superuserUrl, (client) =>
    client.query('DELETE FROM audit_pending WHERE workspace_id = $1', [workspaceId]),
  );
}

function loadWriter(): Writer {
  const file = path.join(REPOSITORY_ROOT, 'apps', 'audit-writer', 'dist', 'link-pending.js');
  return createRequire(__filename)(file) as Writer; // its own signature, see apps/audit-writer/src/link-pending.ts
}
