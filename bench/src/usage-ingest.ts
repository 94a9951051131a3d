import { createHash } from 'node:crypto';
import type { UsageReport } from '@perdure/contracts';
import { applyReports } from '@perdure/store';
import { Client } from 'pg';
import { asSuperuser, type BenchDatabase } from './bench-cluster.js';
import type { BenchContext } from './context.js';
import { copyIn } from './copy-in.js';
import { openInstallation } from './installation.js';
import { rateFigure, type Figure, type Measurement } from './report.js';
import { closedLoop, compare, type Contestant, type Sample } from './rounds.js';

const CONNECTIONS = 8;
const BATCHES = [1, 100, 1_000, 10_000] as const;
/** U3: a report costs less than twice what its rows cost the database at least. */
const LEAST = 0.5;

interface Home {
  readonly workspaceId: string;
  readonly actorId: string;
}

/** Reports applied per second by batch size over 8 connections, against COPY of the same rows into the same tables. */
export async function measureUsageIngest({ cluster, plan }: BenchContext): Promise<Measurement> {
  const database = await cluster.createDatabase('bench_usage');
  const installation = await openInstallation(database, { poolSize: 2 });
  const [agent] = await installation.agents(1, 1);
  await installation.close();
  if (agent === undefined) throw new Error('there is no agent');
  const home = { workspaceId: agent.caller.workspaceId, actorId: agent.caller.actor.id };
  const figures: Figure[] = [];
  for (const batch of BATCHES) figures.push(await figureFor(database, home, batch, plan));
  return {
    name: 'usage-ingest',
    title: `Usage reports applied per second, ${CONNECTIONS} connections, one workspace`,
    method: [
      'Ours: applyReports, as usage-ingest and record_build_session_usage call it, on reports of new transcripts of one model: locks, decision by version, report and slot written, commit with fsync.',
      'Ceiling: COPY of the same rows into the same two tables with their indexes, in one transaction, as superuser, past row-level security; nothing locked, decided or derived.',
    ],
    figures,
  };
}

async function figureFor(
  database: BenchDatabase,
  home: Home,
  batch: number,
  plan: BenchContext['plan'],
): Promise<Figure> {
  const ours = await connections(database.appUrl);
  const ceiling = await connections(database.superuserUrl);
  const comparison = await compare(
    slot(batch, (worker, reports) => apply(connectionOf(ours, worker), home, reports)),
    slot(batch, (worker, reports) => copy(connectionOf(ceiling, worker), home, reports)),
    plan,
  );
  for (const client of [...ours, ...ceiling]) await client.end();
  await asSuperuser(database.superuserUrl, (client) => client.query('TRUNCATE usage_slot, usage_report; CHECKPOINT'));
  return rateFigure(`batch ${batch}`, 'reports/s', comparison, LEAST);
}

const connections = (connectionString: string): Promise<Client[]> =>
  Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      const client = new Client({ connectionString });
      await client.connect();
      return client;
    }),
  );

function connectionOf(clients: readonly Client[], worker: number): Client {
  const client = clients[worker];
  if (client === undefined) throw new Error('there is a connection for each worker');
  return client;
}

/** A rate of reports, not of batches. */
function slot(batch: number, write: (worker: number, reports: UsageReport[]) => Promise<void>): Contestant {
  return async (ms): Promise<Sample> => {
    const { perSecond, latencies } = await closedLoop(CONNECTIONS, ms, (worker) => write(worker, newReports(batch)));
    return { perSecond: perSecond * batch, latencies };
  };
}

let reported = 0;

const newReports = (count: number): UsageReport[] =>
  Array.from({ length: count }, () => ({
    transcript_id: `claude-code:${(reported += 1).toString(16).padStart(32, '0')}`,
    client: 'claude-code',
    version: { generation: 1, complete_bytes: 184_320, records: 212 },
    first_at: '2026-11-30T09:12:44.120Z',
    last_at: '2026-11-30T10:03:08.951Z',
    models: [
      {
        model: 'claude-opus-4-5',
        turns: 38,
        input_tokens: 1_204,
        output_tokens: 21_877,
        cache_write_5m_tokens: 310_442,
        cache_write_1h_tokens: 0,
        cache_read_tokens: 4_120_338,
      },
    ],
  }));

/** Statements are kept under a name, as both callers keep them. */
const nameOf = (sql: string): string => createHash('sha256').update(sql).digest('hex').slice(0, 16);

async function apply(client: Client, { workspaceId, actorId }: Home, reports: readonly UsageReport[]): Promise<void> {
  await client.query(`BEGIN; SET LOCAL perdure.workspace_id = '${workspaceId}'`);
  const tx = {
    workspaceId,
    rows: async <Row>(sql: string, parameters: readonly unknown[] = []) =>
      (await client.query({ name: nameOf(sql), text: sql, values: [...parameters] })).rows as Row[], // the caller names the shape of its statement
    run: async (sql: string, parameters: readonly unknown[] = []) =>
      (await client.query({ name: nameOf(sql), text: sql, values: [...parameters] })).rowCount ?? 0,
  };
  const lines = reports.map((report, index) => ({ line: index + 1, report }));
  const results = await applyReports(tx, lines, { actorId, reportedAt: '2026-11-30T10:05:00.000Z' });
  if (results.some(({ status }) => status !== 'accepted')) throw new Error('a new transcript was not accepted');
  await client.query('COMMIT');
}

async function copy(client: Client, home: Home, reports: readonly UsageReport[]): Promise<void> {
  await client.query('BEGIN');
  await copyIn(client, COPY_REPORTS, reports.map((report) => reportRow(home, report)).join(''));
  await copyIn(client, COPY_SLOTS, reports.map((report) => slotRow(home, report)).join(''));
  await client.query('COMMIT');
}

const COPY_REPORTS = `COPY usage_report (workspace_id, actor_id, reported_at, transcript_id, client, version_generation,
  version_complete_bytes, version_records, first_at, last_at, report) FROM STDIN`;
const COPY_SLOTS = `COPY usage_slot (workspace_id, actor_id, slot_at, transcript_id, client, model, is_child, is_estimated,
  turns, input_tokens, output_tokens, cache_write_5m_tokens, cache_write_1h_tokens, cache_read_tokens) FROM STDIN`;

const line = (values: readonly (string | number | undefined)[]): string => `${values.join('\t')}\n`;

const reportRow = ({ workspaceId, actorId }: Home, report: UsageReport): string =>
  line([
    workspaceId,
    actorId,
    '2026-11-30T10:05:00.000Z',
    report.transcript_id,
    report.client,
    report.version?.generation,
    report.version?.complete_bytes,
    report.version?.records,
    report.first_at,
    report.last_at,
    JSON.stringify(report),
  ]);

const slotRow = ({ workspaceId, actorId }: Home, report: UsageReport): string =>
  report.models
    .map(({ model, ...classes }) =>
      line([
        ...[workspaceId, actorId, '2026-11-30T09:00:00Z', report.transcript_id, report.client, model, 'f', 'f'],
        ...[classes.turns, classes.input_tokens, classes.output_tokens, classes.cache_write_5m_tokens],
        ...[classes.cache_write_1h_tokens, classes.cache_read_tokens],
      ]),
    )
    .join('');
