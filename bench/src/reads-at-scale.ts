import { catalogue } from '@perdure/contracts';
import { asSuperuser } from './bench-cluster.js';
import type { BenchContext } from './context.js';
import { openInstallation, type Agent, type Installation } from './installation.js';
import type { Measurement } from './report.js';
import { inRoundTrips } from './round-trips.js';

const STORED = 100_000;

/** resume_brief and searches over 100,000 decisions, in round trips of `SELECT 1`. */
export async function measureReadsAtScale({ cluster, plan, size }: BenchContext): Promise<Measurement> {
  const stored = Math.round(STORED * size);
  const database = await cluster.createDatabase('bench_reads');
  const installation = await openInstallation(database, { poolSize: 2 });
  const [agent] = await installation.agents(1, 1);
  if (agent === undefined) throw new Error('there is no agent');
  await asSuperuser(database.superuserUrl, async (client) => {
    await client.query(STORE_DECISIONS, [agent.caller.workspaceId, agent.projectId, agent.caller.actor.id, stored]);
    await client.query('VACUUM ANALYZE');
    await client.query('CHECKPOINT');
  });
  const figures = await inRoundTrips(database.appUrl, readsOf(installation, agent), plan);
  await installation.close();
  return {
    name: 'reads-at-scale',
    title: `Reads with ${stored} decisions stored`,
    method: [
      'Ours: one caller through the dispatcher in this process. The decisions are of one project and hold 40 words each out of 2,000.',
      'Beside it: a `SELECT 1` over one connection of node-postgres. The ratio is of times: how many round trips a read costs.',
    ],
    figures,
  };
}

function readsOf(installation: Installation, { caller, projectId }: Agent): Record<string, () => Promise<void>> {
  const search = (query: string) => async () => {
    const { items } = await installation.call(catalogue.decisions.searchDecisionLog, caller, { query, limit: 20 });
    if (items.length === 0) throw new Error(`nothing was found for ${query}`);
  };
  const brief = async () => {
    await installation.call(catalogue.sessions.resumeBrief, caller, { project: projectId });
  };
  return {
    resume_brief: brief,
    'search, a word in 2 %': search('word1777'),
    'search, two words': search('word1777 word401'),
    'search, an identifier': search('module77.runTask77'),
    'search, a prefix that most hold': search('word1*'),
  };
}

/** Titles with an identifier, rationales of forty words, an event for each: as the log is after years. */
const STORE_DECISIONS = `
  WITH numbers AS (
    SELECT n, '0' || lpad((7000000 + n)::text, 25, '0') AS id, '0' || lpad((8000000 + n)::text, 25, '0') AS event_id,
      now() - n * interval '10 minutes' AS at
    FROM generate_series(1, $4::int) n
  ), events AS (
    INSERT INTO audit_event (workspace_id, event_id, type, at, actor_ref, subject_type, subject_id, payload_digest, event_digest)
    SELECT $1, event_id, 'decision.appended', perdure_instant(at), $3, 'decision', id, sha256(id::bytea), sha256(event_id::bytea)
    FROM numbers
  )
  INSERT INTO decision (workspace_id, id, project_id, actor_id, title, rationale_markdown, decided_on,
    changes_public_contract, appended_at, audit_event_id)
  SELECT $1, id, $2, $3, 'Decide module' || n % 500 || '.runTask' || n % 500,
    (SELECT string_agg('word' || (n * 31 + w * w * 7) % 2000, ' ') FROM generate_series(1, 40) w),
    at::date, n % 10 = 0, at, event_id
  FROM numbers`;
