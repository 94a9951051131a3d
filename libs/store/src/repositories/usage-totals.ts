import type { UsageTotalsObject } from '@perdure/contracts';
import type { Transaction } from '../transaction.js';

const SUMS = `
  coalesce(sum(u.turns), 0) AS turns, coalesce(sum(u.input_tokens), 0) AS input_tokens,
  coalesce(sum(u.output_tokens), 0) AS output_tokens,
  coalesce(sum(u.cache_write_5m_tokens), 0) AS cache_write_5m_tokens,
  coalesce(sum(u.cache_write_1h_tokens), 0) AS cache_write_1h_tokens,
  coalesce(sum(u.cache_read_tokens), 0) AS cache_read_tokens`;

/**
 * What the build session `s` used, as one JSON object. By way of the reports of the session: slots are found by their
 * transcript.
 *
 * @param children false leaves out the transcripts of sub-agents
 */
export const usageTotalsOfSession = ({ children = true } = {}): string => `
  SELECT to_json(t) FROM (
    SELECT ${SUMS} FROM usage_report r
    JOIN usage_slot u ON u.workspace_id = r.workspace_id AND u.transcript_id = r.transcript_id
    WHERE r.workspace_id = s.workspace_id AND r.build_session_id = s.id
      ${children ? '' : 'AND r.parent_transcript_id IS NULL'}) t`;

/** What a session used; undefined when there is no such session. */
export async function usageOfSession(
  tx: Transaction,
  buildSessionId: string,
  options: { children?: boolean } = {},
): Promise<UsageTotalsObject | undefined> {
  const row = await tx.first<{ totals: UsageTotalsObject }>(
    `SELECT (${usageTotalsOfSession(options)}) AS totals FROM build_session s WHERE s.workspace_id = $1 AND s.id = $2`,
    [tx.workspaceId, buildSessionId],
  );
  return row?.totals;
}

/** How a group is read off a slot, and how it is answered once slots are summed: names are looked up once a group. */
interface Group {
  readonly raw: readonly string[];
  readonly value: string;
  readonly by: readonly string[];
}

const GROUPS = {
  project: {
    raw: ['u.build_session_id', 'u.project_id'],
    value: `CASE WHEN p.id IS NOT NULL THEN json_build_object('id', p.id, 'slug', p.slug) END`,
    by: ['p.slug', 'p.id'],
  },
  actor: {
    raw: ['u.actor_id'],
    value: `json_build_object('id', a.id, 'name', a.name, 'kind', a.kind)`,
    by: ['a.name', 'a.id', 'a.kind'],
  },
  model: { raw: ['u.model'], value: 'u.model', by: ['u.model'] },
  client: { raw: ['u.client'], value: 'u.client', by: ['u.client'] },
  day: {
    raw: ['(u.slot_at AT TIME ZONE $4)::date AS day'],
    value: `to_char(u.day, 'YYYY-MM-DD')`,
    by: ['u.day'],
  },
  build_session: { raw: ['u.build_session_id'], value: 'u.build_session_id', by: ['u.build_session_id'] },
} as const satisfies Record<string, Group>;

export type UsageGroup = keyof typeof GROUPS;

export interface UsageFilter {
  /** A date of the zone, or an instant. */
  readonly from: string;
  /** A date, which is included, or an instant, which is not. */
  readonly to: string;
  /** An IANA name. */
  readonly timezone: string;
  readonly includeChildren: boolean;
}

export interface MarkedTotals extends UsageTotalsObject {
  readonly estimated: boolean;
}

export interface UsageSummary {
  readonly rows: (MarkedTotals & Readonly<Record<string, unknown>>)[];
  readonly totals: MarkedTotals;
}

const isDate = (value: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(value);

/**
 * The slots `u` of a range given as `$2` to `$3` in the zone `$4`. Midnight is that of the zone, so that days of 23 and of
 * 25 hours are whole.
 */
export function slotsInRange({ from, to }: Pick<UsageFilter, 'from' | 'to'>): string {
  const quarter = (place: string) => `date_bin('15 minutes', ${place}::text::timestamptz, '2000-01-01Z')`;
  const begins = isDate(from) ? `$2::text::date::timestamp AT TIME ZONE $4::text` : quarter('$2');
  const ends = isDate(to) ? `($3::text::date + 1)::timestamp AT TIME ZONE $4::text` : quarter('$3');
  return `u.workspace_id = $1 AND u.slot_at >= ${begins} AND u.slot_at < ${ends} AND $4::text IS NOT NULL`;
}

/**
 * Totals by the given groups in that order, and over all of them, from one reading of the slots.
 *
 * @param limit of rows; one more is answered where there are more
 */
export async function summariseUsage(
  tx: Transaction,
  filter: UsageFilter,
  { groups, limit }: { groups: readonly UsageGroup[]; limit: number },
): Promise<UsageSummary> {
  const raw = [...new Set<string>(groups.flatMap((group) => GROUPS[group].raw))];
  const by = groups.flatMap((group): readonly string[] => GROUPS[group].by).join(', ');
  const values = groups.map((group) => `${GROUPS[group].value} AS ${group}, `).join('');
  const summary = await tx.first<UsageSummary>(
    `WITH slot AS MATERIALIZED (
       SELECT ${raw.map((column) => `${column}, `).join('')}${SUMS}, bool_or(u.is_estimated) AS is_estimated
       FROM usage_slot u WHERE ${slotsInRange(filter)} ${filter.includeChildren ? '' : 'AND NOT u.is_child'}
       GROUP BY ${raw.length === 0 ? '()' : raw.map((_column, place) => place + 1).join(', ')}
     )
     SELECT (SELECT to_json(t) FROM (SELECT ${SUMS}, ${ESTIMATED} FROM slot u) t) AS totals,
       coalesce((SELECT json_agg(t) FROM (
         SELECT ${values}${SUMS}, ${ESTIMATED} FROM slot u ${joinsFor(groups)}
         GROUP BY ${by === '' ? '()' : by} ORDER BY ${by === '' ? '1' : by} LIMIT ${limit + 1}) t), '[]') AS rows`,
    [tx.workspaceId, filter.from, filter.to, filter.timezone],
  );
  if (summary === undefined) throw new Error('a statement without FROM answers with a row');
  return groups.length === 0 ? { ...summary, rows: [] } : summary;
}

const ESTIMATED = 'coalesce(bool_or(u.is_estimated), false) AS estimated';

function joinsFor(groups: readonly UsageGroup[]): string {
  const project = `LEFT JOIN build_session s ON s.workspace_id = $1 AND s.id = u.build_session_id
    LEFT JOIN project p ON p.workspace_id = $1 AND p.id = coalesce(s.project_id, u.project_id)`;
  const actor = 'JOIN actor a ON a.workspace_id = $1 AND a.id = u.actor_id';
  return `${groups.includes('project') ? project : ''} ${groups.includes('actor') ? actor : ''}`;
}
