import {
  BACKLOG_STATUSES,
  type BacklogStatus,
  type BriefDecision,
  type BriefLoop,
  type BriefSession,
  DECISION_KINDS,
  DEFAULT_LOOP_LIMITS,
  hasNoProgress,
} from '@perdure/contracts';
import { ACTOR_JSON, staleCommitsSql, type Transaction } from '@perdure/store';

/** How many of each are read: the last ten decisions (S16), and as many of every other kind. */
const SHOWN = 10;
/** Loops have no list of their own, so that a brief with a larger budget is what shows more of them. */
const LOOPS_SHOWN = 50;

export interface BriefScope {
  readonly projectId: string;
  readonly computer: string | undefined;
  readonly branch: string | undefined;
  /** The snapshot of an earlier brief; null for everything. */
  readonly since: string | null;
}

interface Counted<Item> {
  readonly items: readonly Item[];
  readonly total: number;
}

export interface BriefRows {
  readonly sessions: Counted<BriefSession>;
  readonly loops: Counted<BriefLoop>;
  readonly constraints: Counted<BriefDecision>;
  readonly decisions: Counted<BriefDecision>;
  readonly deadEnds: Counted<BriefDecision>;
  readonly preferences: Counted<BriefDecision>;
  /** Null when no item changed. */
  readonly backlog: Record<BacklogStatus, number> | null;
}

/** Everything that a brief may say, newest first of each. */
export async function readBriefRows(tx: Transaction, scope: BriefScope): Promise<BriefRows> {
  const { constraint, decision, dead_end, preference } = await readDecisions(tx, scope);
  return {
    sessions: await readSessions(tx, scope),
    loops: await readLoops(tx, scope),
    constraints: constraint,
    decisions: decision,
    deadEnds: dead_end,
    preferences: preference,
    backlog: await readBacklog(tx, scope),
  };
}

/** Rows of `alias` that the earlier brief had not seen; everything when there was none. `$3` is its snapshot. */
const changed = (alias: string): string =>
  `($3::text IS NULL OR NOT pg_visible_in_snapshot(${alias}.changed_in, $3::pg_snapshot))`;

/** Of a session that ended its history entry stands for the lead: what the next one begins from. */
const SESSION_COLUMNS = `s.id, ${ACTOR_JSON} AS actor, s.computer, s.branch, s.status, s.intent,
  perdure_instant(s.last_pinged_at) AS last_pinged_at,
  CASE s.status WHEN 'ended' THEN coalesce(nullif(s.session_history_entry_markdown, ''), s.current_state_markdown)
    ELSE s.current_state_markdown END AS lead_markdown`;
const SESSION_FROM = `FROM build_session s JOIN actor a ON a.workspace_id = s.workspace_id AND a.id = s.actor_id`;

/**
 * Active sessions, the caller's own place first; with `since` also those that have ended since. Where nobody works, the
 * session that was started last: an agent that ended in order must not be harder to continue than one that crashed.
 */
async function readSessions(tx: Transaction, scope: BriefScope): Promise<Counted<BriefSession>> {
  const open = await readOpenSessions(tx, scope);
  if (open.total > 0 || scope.since !== null) return open;
  const last = await tx.rows<BriefSession & { total: number }>(
    `SELECT ${SESSION_COLUMNS}, 1 AS total ${SESSION_FROM}
     WHERE s.workspace_id = $1 AND s.project_id = $2 ORDER BY s.started_at DESC, s.id DESC LIMIT 1`,
    [tx.workspaceId, scope.projectId],
  );
  return counted(last);
}

async function readOpenSessions(tx: Transaction, scope: BriefScope): Promise<Counted<BriefSession>> {
  const rows = await tx.rows<BriefSession & { total: number }>(
    `SELECT ${SESSION_COLUMNS}, count(*) OVER ()::int AS total ${SESSION_FROM}
     WHERE s.workspace_id = $1 AND s.project_id = $2 AND (s.status = 'active' OR $3::text IS NOT NULL) AND ${changed('s')}
     ORDER BY (s.computer IS NOT DISTINCT FROM $4 AND s.branch IS NOT DISTINCT FROM $5) DESC,
       s.branch IS NOT DISTINCT FROM $5 DESC, s.last_pinged_at DESC, s.id DESC LIMIT ${SHOWN}`,
    [tx.workspaceId, scope.projectId, scope.since, scope.computer ?? null, scope.branch ?? null],
  );
  return counted(rows);
}

type DecisionsByKind = Readonly<Record<BriefDecision['kind'], Counted<BriefDecision>>>;

/**
 * The newest entries of each kind that hold, marked stale where later commits changed their paths (D7), and how many
 * hold in all. Which are superseded is looked up for those that are shown, and counted through the index of corrections:
 * the log may have 100,000 entries.
 */
async function readDecisions(tx: Transaction, scope: BriefScope): Promise<DecisionsByKind> {
  const parameters = [tx.workspaceId, scope.projectId, scope.since];
  const rows = await tx.rows<BriefDecision>(
    `SELECT d.id, d.kind, d.title, d.decided_on::text AS decided_on, d.changes_public_contract, ${ACTOR_JSON} AS actor,
       NULL AS superseded_by_decision_id,
       coalesce((SELECT array_agg(c.sha) FROM (${staleCommitsSql(3)}) c), '{}') AS stale_commits
     FROM unnest($4::text[]) k (kind)
     CROSS JOIN LATERAL (
       SELECT * FROM decision d WHERE d.workspace_id = $1 AND d.project_id = $2 AND d.kind = k.kind AND ${changed('d')}
         AND NOT EXISTS (SELECT FROM decision x WHERE x.workspace_id = $1 AND x.supersedes_decision_id = d.id)
       ORDER BY d.appended_at DESC, d.id DESC LIMIT ${SHOWN}) d
     JOIN actor a ON a.workspace_id = d.workspace_id AND a.id = d.actor_id
     ORDER BY d.appended_at DESC, d.id DESC`,
    [...parameters, [...DECISION_KINDS]],
  );
  const totals = await tx.rows<{ kind: BriefDecision['kind']; total: number }>(
    `SELECT d.kind, count(*)::int AS total FROM decision d
     WHERE d.workspace_id = $1 AND d.project_id = $2 AND ${changed('d')}
       AND NOT EXISTS (SELECT FROM decision x WHERE x.workspace_id = $1 AND x.supersedes_decision_id = d.id)
     GROUP BY 1`,
    parameters,
  );
  const ofKind = (kind: BriefDecision['kind']): Counted<BriefDecision> => ({
    items: rows.filter((row) => row.kind === kind),
    total: totals.find((row) => row.kind === kind)?.total ?? 0,
  });
  return {
    constraint: ofKind('constraint'),
    decision: ofKind('decision'),
    dead_end: ofKind('dead_end'),
    preference: ofKind('preference'),
  };
}

/** Counts by status; null when no item changed since. */
async function readBacklog(tx: Transaction, scope: BriefScope): Promise<Record<BacklogStatus, number> | null> {
  const rows = await tx.rows<{ status: BacklogStatus; count: number; changed: boolean }>(
    `SELECT i.status, count(*)::int AS count, bool_or(${changed('i')}) AS changed FROM backlog_item i
     WHERE i.workspace_id = $1 AND i.project_id = $2 GROUP BY 1`,
    [tx.workspaceId, scope.projectId, scope.since],
  );
  if (scope.since !== null && !rows.some((row) => row.changed)) return null;
  const counts = BACKLOG_STATUSES.map((status) => [status, rows.find((row) => row.status === status)?.count ?? 0]);
  return Object.fromEntries(counts) as Record<BacklogStatus, number>; // every status of the list is given a count
}

/** Loops of the project, those of the caller's branch and those that are stuck first. */
async function readLoops(tx: Transaction, scope: BriefScope): Promise<Counted<BriefLoop>> {
  const rows = await tx.rows<LoopRow>(
    `SELECT l.branch, l.name AS loop, l.failing_signature, l.diff_hash, l.unchanged,
       perdure_instant(l.measured_at) AS measured_at, coalesce(l.cap, ${DEFAULT_LOOP_LIMITS.cap}) AS cap,
       coalesce(l.no_progress_limit, ${DEFAULT_LOOP_LIMITS.no_progress_limit}) AS no_progress_limit,
       count(*) OVER ()::int AS total
     FROM loop l WHERE l.workspace_id = $1 AND l.project_id = $2 AND l.measured_at IS NOT NULL AND ${changed('l')}
     ORDER BY l.branch IS NOT DISTINCT FROM $4 DESC, l.measured_at DESC, l.id LIMIT ${LOOPS_SHOWN}`,
    [tx.workspaceId, scope.projectId, scope.since, scope.branch ?? null],
  );
  const items = rows.map(({ branch, loop, cap, no_progress_limit, total: _total, ...work }) => ({
    branch,
    loop,
    work,
    no_progress: hasNoProgress(work, { no_progress_limit }),
    limits: { cap, no_progress_limit },
  }));
  return { items, total: rows[0]?.total ?? 0 };
}

interface LoopRow {
  readonly branch: string;
  readonly loop: string;
  readonly failing_signature: string | null;
  readonly diff_hash: string | null;
  readonly unchanged: number;
  readonly measured_at: string | null;
  readonly cap: number;
  readonly no_progress_limit: number;
  readonly total: number;
}

function counted<Item extends object>(rows: readonly (Item & { total: number })[]): Counted<Item> {
  // Without its total a row is the item that it was read as.
  const items = rows.map(({ total: _total, ...item }) => item as unknown as Item);
  return { items, total: rows[0]?.total ?? 0 };
}
