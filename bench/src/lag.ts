import { catalogue } from '@perdure/contracts';
import { auditLink, connectQueues } from '@perdure/queues';
import { Pool } from 'pg';
import { asSuperuser, type BenchDatabase } from './bench-cluster.js';
import type { BenchContext } from './context.js';
import { openInstallation, type Agent, type Installation } from './installation.js';
import type { Measurement } from './report.js';
import { closedLoop, openLoop, summaryOf, type Sample } from './rounds.js';
import { startApp } from './started-process.js';
import { rounded } from './statistics.js';
import { createUnauditedTable, unauditedAppend, type DecisionInput } from './unaudited-append.js';

const WRITERS = 16;
const WORKSPACES = 10;
/** An open loop holds a call back when so many are open; at half the sustained rate that happens in a stall alone. */
const MOST_OPEN = 48;

const DECISION: DecisionInput = {
  title: 'Say what was ruled out',
  rationale_markdown: 'The next session tries it again otherwise.',
  decided_on: '2026-01-15',
  changes_public_contract: false,
  tags: [],
  paths: [],
};

/** Time from the commit of an audited write to the commit that links it, at half of what writer and writers sustain. */
export async function measureLag({ cluster, plan }: BenchContext): Promise<Measurement> {
  const database = await cluster.createDatabase('bench_lag');
  await createUnauditedTable(database.ownerUrl);
  const queues = await connectQueues({ url: cluster.queueUrl, onError: (error) => console.error(error.message) });
  const wakeUps = queues.producer(auditLink);
  const installation = await openInstallation(database, {
    poolSize: MOST_OPEN,
    onCommitted: (workspaceId) => wakeUps.wake(workspaceId),
  });
  const agents = await installation.agents(WRITERS, WORKSPACES);
  const writer = await startApp('audit-writer', cluster.folder, {
    PERDURE_WRITER_DATABASE_URL: database.writerUrl,
    PERDURE_QUEUE_URL: cluster.queueUrl,
  });
  await untilLinked(database);
  const sustained = await sustainedRate(database, installation, agents, plan.slotMs * 2);
  await untilLinked(database);
  const half = sustained.perSecond / 2;
  const { lag, written, floor } = await atRate(half, { database, installation, agents, ms: plan.slotMs * 4 });
  await writer.stop();
  await installation.close();
  await queues.close();
  return {
    name: 'lag',
    title: 'Audit lag, from commit to linked',
    method: [
      `Sustained: ${WRITERS} writers in a closed loop over ${WORKSPACES} workspaces and one audit-writer process on the same cores; the smaller of written and linked per second.`,
      'Lag: at half of that, calls at fixed intervals; the difference of two commit timestamps of Postgres (track_commit_timestamp), that of the event and that of its entry. Wake-ups go through the queue as in production.',
      'Ceiling: what no design can undercut, a durable commit of its own: the latency of the same write unaudited at the same rate.',
    ],
    figures: [
      {
        name: 'sustained end to end',
        unit: 'writes/s',
        ours: { value: rounded(sustained.perSecond), p50Ms: rounded(sustained.p50Ms), p99Ms: rounded(sustained.p99Ms) },
        ceiling: null,
        ratio: null,
      },
      {
        name: `lag at ${Math.round(half)} writes/s`,
        unit: 'ms (p99)',
        ours: { value: rounded(lag.p99), p50Ms: rounded(lag.p50), p99Ms: rounded(lag.p99) },
        ceiling: { value: rounded(floor.p99Ms), p50Ms: rounded(floor.p50Ms), p99Ms: rounded(floor.p99Ms) },
        ratio: rounded(lag.p99 / floor.p99Ms),
      },
      {
        name: 'audited write at that rate',
        unit: 'writes/s',
        ours: { value: rounded(written.perSecond), p50Ms: rounded(written.p50Ms), p99Ms: rounded(written.p99Ms) },
        ceiling: { value: rounded(floor.perSecond), p50Ms: rounded(floor.p50Ms), p99Ms: rounded(floor.p99Ms) },
        ratio: null,
      },
    ],
  };
}

async function sustainedRate(
  database: BenchDatabase,
  installation: Installation,
  agents: readonly Agent[],
  ms: number,
) {
  const before = await entryCount(database);
  const sample = await closedLoop(WRITERS, ms, (worker) => append(installation, agents, worker));
  const linkedPerSecond = ((await entryCount(database)) - before) / (ms / 1000);
  const summary = summaryOf([sample]);
  return { ...summary, perSecond: Math.min(summary.perSecond, linkedPerSecond) };
}

interface AtRate {
  readonly database: BenchDatabase;
  readonly installation: Installation;
  readonly agents: readonly Agent[];
  readonly ms: number;
}

/** Both at the same rate, the ceiling before and after, so that a change of the machine shows in it. */
async function atRate(perSecond: number, { database, installation, agents, ms }: AtRate) {
  const pool = new Pool({ connectionString: database.appUrl, max: MOST_OPEN });
  const unaudited = (worker: number) => unauditedAppend(pool, agentOf(agents, worker), DECISION);
  const floors: Sample[] = [await openLoop(perSecond, ms / 4, MOST_OPEN, unaudited)];
  const from = new Date().toISOString();
  const written = await openLoop(perSecond, ms, MOST_OPEN, (worker) => append(installation, agents, worker));
  await untilLinked(database);
  const lag = await lagSince(database, from);
  floors.push(await openLoop(perSecond, ms / 4, MOST_OPEN, unaudited));
  await pool.end();
  return { lag, written: summaryOf([written]), floor: summaryOf(floors) };
}

async function append(installation: Installation, agents: readonly Agent[], worker: number): Promise<void> {
  await installation.call(catalogue.decisions.appendDecisionLog, agentOf(agents, worker).caller, DECISION);
}

function agentOf(agents: readonly Agent[], worker: number): Agent {
  const agent = agents[worker % agents.length];
  if (agent === undefined) throw new Error('there is no agent');
  return agent;
}

/** `xmin` is the transaction that wrote a row; both tables are append-only, so it is also the one that committed it. */
const LAG = `
  SELECT percentile_cont(ARRAY[0.5, 0.99]) WITHIN GROUP (ORDER BY
    extract(epoch FROM pg_xact_commit_timestamp(n.xmin) - pg_xact_commit_timestamp(e.xmin)) * 1000) AS ms
  FROM audit_event e JOIN audit_entry n USING (workspace_id, event_id)
  WHERE e.at >= $1`;

async function lagSince(database: BenchDatabase, from: string): Promise<{ p50: number; p99: number }> {
  const { rows } = await asSuperuser(database.superuserUrl, (client) => client.query<{ ms: number[] }>(LAG, [from]));
  const [p50 = NaN, p99 = NaN] = rows[0]?.ms ?? [];
  return { p50, p99 };
}

async function entryCount(database: BenchDatabase): Promise<number> {
  const { rows } = await asSuperuser(database.superuserUrl, (client) =>
    client.query<{ count: number }>('SELECT count(*)::int AS count FROM audit_entry'),
  );
  return rows[0]?.count ?? 0;
}

async function untilLinked(database: BenchDatabase): Promise<void> {
  await asSuperuser(database.superuserUrl, async (client) => {
    for (;;) {
      const { rowCount } = await client.query('SELECT 1 FROM audit_pending LIMIT 1');
      if (rowCount === 0) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  });
}
