import type { BuildSessionObject } from '@perdure/contracts';
import type { Transaction } from '../transaction.js';
import { Conditions } from './conditions.js';
import { addSearch } from './text-search.js';
import { usageTotalsOfSession } from './usage-totals.js';

/** A pull request as its object; `p` is a row of build_session_pr. */
export const PULL_REQUEST_JSON = `json_build_object('forge', p.forge, 'host', p.host, 'repository', p.repository,
  'number', p.number, 'url', p.url, 'title', p.title, 'linked_issue', p.linked_issue,
  'recorded_at', perdure_instant(p.recorded_at))`;

/** A commit as its object; `c` is a row of build_session_commit. */
export const COMMIT_COLUMNS = `c.sha, c.paths, perdure_instant(c.recorded_at) AS recorded_at`;

/** An actor as its object; `a` is a row of actor. */
export const ACTOR_JSON = `json_build_object('id', a.id, 'name', a.name, 'kind', a.kind)`;

/** A whole build session, in one round trip with its children. Column names are the object's keys. */
const BUILD_SESSION = `
  SELECT s.id, s.project_id, s.computer, s.branch, ${ACTOR_JSON} AS actor, s.worktree, s.intent, s.notes,
    s.client_name, s.client_version, s.status, perdure_instant(s.started_at) AS started_at,
    perdure_instant(s.last_pinged_at) AS last_pinged_at, perdure_instant(s.ended_at) AS ended_at,
    s.current_state_markdown, s.state_version, s.session_history_entry_markdown, s.continues_id AS continues,
    coalesce((SELECT json_agg(${PULL_REQUEST_JSON} ORDER BY p.recorded_at, p.url) FROM build_session_pr p
      WHERE p.workspace_id = s.workspace_id AND p.build_session_id = s.id), '[]') AS prs,
    coalesce((SELECT array_agg(c.sha ORDER BY c.recorded_at, c.sha) FROM build_session_commit c
      WHERE c.workspace_id = s.workspace_id AND c.build_session_id = s.id), '{}') AS commit_shas,
    (${usageTotalsOfSession()}) AS usage_totals
  FROM build_session s
  JOIN actor a ON a.workspace_id = s.workspace_id AND a.id = s.actor_id
  WHERE s.workspace_id = $1`;

/** The session, or undefined when this workspace has none of that id. */
export const findBuildSession = (tx: Transaction, id: string): Promise<BuildSessionObject | undefined> =>
  tx.first<BuildSessionObject>(`${BUILD_SESSION} AND s.id = $2`, [tx.workspaceId, id]);

export interface BuildSessionFilter {
  readonly projectId?: string | undefined;
  readonly status?: 'active' | 'ended' | undefined;
  /** Name or id. */
  readonly actor?: string | undefined;
  readonly branch?: string | undefined;
  readonly computer?: string | undefined;
  /** Over intent, notes and history entry. */
  readonly search?: string | undefined;
  /** Last pinged at this instant or before. */
  readonly pingedBefore?: string | undefined;
  /** Sessions after this place in the order. */
  readonly after?: { readonly startedAt: string; readonly id: string } | undefined;
  readonly limit: number;
}

/** Whole sessions, newest first. */
export function listBuildSessions(tx: Transaction, filter: BuildSessionFilter): Promise<BuildSessionObject[]> {
  const where = new Conditions(tx.workspaceId)
    .and((place) => `s.project_id = ${place}`, filter.projectId)
    .and((place) => `s.status = ${place}`, filter.status)
    .and((place) => `${place}::text IN (a.name, a.id)`, filter.actor)
    .and((place) => `s.branch = ${place}`, filter.branch)
    .and((place) => `s.computer = ${place}`, filter.computer)
    .and((place) => `s.last_pinged_at <= ${place}`, filter.pingedBefore)
    .and((at, id) => `(s.started_at, s.id) < (${at}::timestamptz, ${id})`, filter.after?.startedAt, filter.after?.id);
  if (filter.search !== undefined) addSearch(where, 'build_session', 's', filter.search);
  const order = ` ORDER BY s.started_at DESC, s.id DESC LIMIT ${where.place(filter.limit)}`;
  return tx.rows<BuildSessionObject>(BUILD_SESSION + where.sql + order, where.parameters);
}
