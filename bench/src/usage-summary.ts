import { catalogue, type RawInputOf } from '@perdure/contracts';
import { asSuperuser } from './bench-cluster.js';
import type { BenchContext } from './context.js';
import { openInstallation } from './installation.js';
import type { Measurement } from './report.js';
import { inRoundTrips } from './round-trips.js';

const TRANSCRIPTS_A_DAY = 1_000;

type GroupBy = RawInputOf<typeof catalogue.usage.summariseUsage>['group_by'];

const QUESTIONS: Readonly<Record<string, { groups: GroupBy; from: string }>> = {
  'a year, one total': { groups: [], from: '2026-01-01' },
  'a year by day': { groups: ['day'], from: '2026-01-01' },
  'a year by project, actor, model and client': { groups: ['project', 'actor', 'model', 'client'], from: '2026-01-01' },
  'its last week by day and model': { groups: ['day', 'model'], from: '2026-12-25' },
};

/** summarise_usage over a year of transcripts, in round trips of `SELECT 1`. */
export async function measureUsageSummary({ cluster, plan, size }: BenchContext): Promise<Measurement> {
  const aDay = Math.max(1, Math.round(TRANSCRIPTS_A_DAY * size));
  const database = await cluster.createDatabase('bench_usage_summary');
  const installation = await openInstallation(database, { poolSize: 2 });
  const { owner } = await installation.workspace();
  await asSuperuser(database.superuserUrl, async (client) => {
    await client.query(STORE_YEAR, [owner.workspaceId, owner.actor.id, aDay]);
    await client.query('VACUUM ANALYZE usage_slot');
    await client.query('CHECKPOINT');
  });
  const reads = Object.entries(QUESTIONS).map(([name, { groups, from }]) => {
    const input = { from, to: '2026-12-31', timezone: 'Europe/Berlin', group_by: groups };
    const ask = async () => {
      const { totals } = await installation.call(catalogue.usage.summariseUsage, owner, input);
      if (totals.turns === 0) throw new Error('nothing was totalled');
    };
    return [name, ask] as const;
  });
  const figures = await inRoundTrips(database.appUrl, Object.fromEntries(reads), plan);
  await installation.close();
  return {
    name: 'usage-summary',
    title: `summarise_usage over a year of ${aDay} transcripts a day`,
    method: [
      'Ours: one caller through the dispatcher in this process, days of Europe/Berlin; a transcript has one model and fills one quarter of an hour.',
      'Beside it: a `SELECT 1` over one connection of node-postgres. The ratio is of times: how many round trips a summary costs.',
    ],
    figures,
  };
}

const STORE_YEAR = `
  INSERT INTO usage_slot (workspace_id, transcript_id, model, slot_at, actor_id, client, is_child, is_estimated, turns,
    input_tokens, output_tokens, cache_write_5m_tokens, cache_write_1h_tokens, cache_read_tokens)
  SELECT $1, 'claude-code:' || md5(n::text), 'model-' || n % 4,
    date_bin('15 minutes', '2026-01-01Z'::timestamptz + n * (interval '1 day' / $3::int), '2000-01-01Z'), $2,
    CASE WHEN n % 3 = 0 THEN 'codex' ELSE 'claude-code' END, n % 5 = 0, false, 38, 1204, 21877, 310442, 0, 4120338
  FROM generate_series(0, 365 * $3::int - 1) n`;
