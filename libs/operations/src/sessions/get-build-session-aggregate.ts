import { catalogue, type BuildSessionObject } from '@perdure/contracts';
import {
  ACTOR_JSON,
  countBacklogItems,
  countDecisions,
  listBacklogItems,
  listDecisions,
  type Transaction,
  usageOfSession,
} from '@perdure/store';
import { implement } from '../dispatcher/implement.js';
import { requireProject } from '../projects/find-project.js';
import { requireBuildSession } from './find-build-session.js';

/** Children of each kind that come along; `total` says how many there are. */
const CHILDREN_SHOWN = 50;

export const getBuildSessionAggregateHandler = implement(
  catalogue.sessions.getBuildSessionAggregate,
  async ({ tx, input }) => {
    const session = await requireBuildSession(tx, input.build_session_id);
    const { id, continues } = session;
    const predecessors = continues === null ? [] : await relatedSessions(tx, 's.id = $2', continues);
    return {
      build_session: session,
      project: await requireProject(tx, session.project_id),
      predecessor: predecessors[0] ?? null,
      successors: await relatedSessions(tx, 's.continues_id = $2', id),
      decisions: await decisionsOf(tx, id),
      backlog_items: await backlogItemsOf(tx, id),
      prs: childrenOf(session.prs, session.prs.length, { operation: 'get_build_session', build_session_id: id }),
      commits: await commitsOf(tx, id),
      usage: { ...session.usage_totals, without_children: await usageWithoutChildren(tx, session) },
    };
  },
);

async function usageWithoutChildren(tx: Transaction, { id, usage_totals: totals }: BuildSessionObject) {
  const isZero = Object.values(totals).every((sum) => sum === 0);
  return isZero ? totals : ((await usageOfSession(tx, id, { children: false })) ?? totals);
}

interface MoreCall {
  readonly operation: string;
  readonly [argument: string]: unknown;
}

/** The first children, how many there are, and the call that returns the rest. */
function childrenOf<Item>(items: readonly Item[], total: number, { operation, ...rest }: MoreCall) {
  const shown = items.slice(0, CHILDREN_SHOWN);
  return { items: shown, total, more: total > shown.length ? { operation, arguments: rest } : null };
}

async function decisionsOf(tx: Transaction, buildSessionId: string) {
  const filter = { buildSessionId, includeSuperseded: true };
  const items = await listDecisions(tx, { ...filter, limit: CHILDREN_SHOWN });
  return childrenOf(items, await countDecisions(tx, filter), {
    operation: 'list_decision_log',
    build_session_id: buildSessionId,
    include_superseded: true,
  });
}

async function backlogItemsOf(tx: Transaction, buildSessionId: string) {
  const filter = { buildSessionId };
  const items = await listBacklogItems(tx, filter, { limit: CHILDREN_SHOWN });
  return childrenOf(items, await countBacklogItems(tx, filter), {
    operation: 'list_backlog_items',
    build_session_id: buildSessionId,
  });
}

async function commitsOf(tx: Transaction, buildSessionId: string) {
  const items = await tx.rows<{ sha: string; paths: string[]; recorded_at: string }>(
    `SELECT sha, paths, perdure_instant(recorded_at) AS recorded_at FROM build_session_commit
     WHERE workspace_id = $1 AND build_session_id = $2 ORDER BY recorded_at, sha`,
    [tx.workspaceId, buildSessionId],
  );
  return childrenOf(items, items.length, { operation: 'get_build_session', build_session_id: buildSessionId });
}

type RelatedSession = Pick<
  BuildSessionObject,
  | 'id'
  | 'project_id'
  | 'computer'
  | 'branch'
  | 'actor'
  | 'intent'
  | 'status'
  | 'started_at'
  | 'ended_at'
  | 'session_history_entry_markdown'
>;

/** Predecessor or successors, oldest first; `condition` is a constant of this file that uses `$2`. */
function relatedSessions(tx: Transaction, condition: string, id: string): Promise<RelatedSession[]> {
  return tx.rows<RelatedSession>(
    `SELECT s.id, s.project_id, s.computer, s.branch, ${ACTOR_JSON} AS actor, s.intent, s.status,
       perdure_instant(s.started_at) AS started_at, perdure_instant(s.ended_at) AS ended_at, s.session_history_entry_markdown
     FROM build_session s JOIN actor a ON a.workspace_id = s.workspace_id AND a.id = s.actor_id
     WHERE s.workspace_id = $1 AND ${condition} ORDER BY s.started_at, s.id LIMIT ${CHILDREN_SHOWN}`,
    [tx.workspaceId, id],
  );
}
