import { catalogue } from '@perdure/contracts';
import { asSuperuser, type BenchDatabase } from './bench-cluster.js';
import type { BenchContext } from './context.js';
import { openInstallation, type Agent, type Installation } from './installation.js';
import { timesOf, type Measurement } from './report.js';
import { closedLoop, compare, type Contestant } from './rounds.js';
import { median, rounded } from './statistics.js';

const STORED = 100_000;
const CALLERS = 4;
/** Time with many stored by time with none. */
const MOST_OF_EMPTY = 1.2;
/** More than the answer shows of them, in both stores, so that both answers have the same size. */
const OTHERS_AT_WORK = 60;

interface Store {
  readonly installation: Installation;
  readonly agents: readonly Agent[];
}

/** start_build_session where 100,000 sessions are stored, against a store without any. */
export async function measureSessionStart({ cluster, plan, size }: BenchContext): Promise<Measurement> {
  const stored = Math.round(STORED * size);
  const full = await openStore(await cluster.createDatabase('bench_start_full'), stored);
  const empty = await openStore(await cluster.createDatabase('bench_start_empty'), 0);
  const comparison = await compare(starts(full), starts(empty), plan);
  await full.installation.close();
  await empty.installation.close();
  // Rates in a closed loop turned round are times: the ratio of the rates, too, had to be turned.
  const ratio = median(comparison.ratios.map((rate) => 1 / rate));
  return {
    name: 'session-start',
    title: `start_build_session with ${stored} sessions stored`,
    method: [
      `Ours: a new session on a new branch each time, through the dispatcher in this process, ${CALLERS} callers, ${stored} ended sessions of one project stored, three of its machines busy in each hundred.`,
      `Ceiling: the same on a database without them. In both, ${OTHERS_AT_WORK} other sessions are open, so that the answers are equally long.`,
    ],
    figures: [
      {
        name: `start, ${stored} stored : none`,
        unit: 'ms',
        ours: timesOf(comparison.ours, CALLERS),
        ceiling: timesOf(comparison.ceiling, CALLERS),
        ratio: rounded(ratio),
        ratios: comparison.ratios.map((rate) => rounded(1 / rate)),
        target: { text: `≤ ${MOST_OF_EMPTY}`, met: ratio <= MOST_OF_EMPTY },
      },
    ],
  };
}

async function openStore(database: BenchDatabase, stored: number): Promise<Store> {
  const installation = await openInstallation(database, { poolSize: CALLERS });
  const agents = await installation.agents(CALLERS, 1);
  const [agent] = agents;
  if (agent === undefined) throw new Error('there is no agent');
  await asSuperuser(database.superuserUrl, async (client) => {
    await client.query(STORE_SESSIONS, [...placeOf(agent), 'ended', stored, 1_000_000]);
    await client.query(STORE_SESSIONS, [...placeOf(agent), 'active', OTHERS_AT_WORK, 9_000_000]);
    await client.query('VACUUM ANALYZE build_session');
    await client.query('CHECKPOINT');
  });
  return { installation, agents };
}

const placeOf = ({ caller, projectId }: Agent) => [caller.workspaceId, projectId, caller.actor.id];

/** Sessions of one project over a year and a half, with leads and history as agents leave them. */
const STORE_SESSIONS = `
  INSERT INTO build_session (workspace_id, id, project_id, actor_id, computer, branch, intent, status, started_at,
    last_pinged_at, last_active_at, ended_at, current_state_markdown, state_version, session_history_entry_markdown)
  SELECT $1, '0' || lpad(($6::bigint + n)::text, 25, '0'), $2, $3, 'computer-' || n % 33, 'branch-' || n, 'intent ' || n,
    $4::text, t.at, t.at, t.at, CASE $4::text WHEN 'ended' THEN t.at + interval '1 hour' END, repeat('lead ', 80), 4,
    CASE $4::text WHEN 'ended' THEN repeat('history ', 40) END
  FROM generate_series(1, $5::int) n
  CROSS JOIN LATERAL (SELECT now() - n * interval '8 minutes' AS at) t`;

let branches = 0;

const starts =
  ({ installation, agents }: Store): Contestant =>
  (ms) =>
    closedLoop(CALLERS, ms, async (worker) => {
      const agent = agents[worker];
      if (agent === undefined) throw new Error('there is no agent');
      await installation.call(catalogue.sessions.startBuildSession, agent.caller, {
        project: agent.projectId,
        computer: `computer-${worker}`,
        branch: `bench-${(branches += 1)}`,
      });
    });
