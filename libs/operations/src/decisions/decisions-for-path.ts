import { catalogue, type OutputOf } from '@perdure/contracts';
import { Conditions, DECISION_FROM, LISTED_DECISION_COLUMNS, staleCommitsSql, touches } from '@perdure/store';
import { implement } from '../dispatcher/implement.js';
import { listPage } from '../paging/list-page.js';
import { requireProject } from '../projects/find-project.js';

const contract = catalogue.decisions.decisionsForPath;
type PathDecision = OutputOf<typeof contract>['items'][number];

/** Later commits that are named; one is enough to look again. */
const COMMITS_SHOWN = 10;

export const decisionsForPathHandler = implement(contract, async ({ tx, input }) => {
  const project = await requireProject(tx, input.project);
  return listPage(
    { operation: contract.name, workspaceId: tx.workspaceId, input },
    {
      read: (after, limit) => {
        const where = new Conditions(tx.workspaceId);
        const path = where.place(input.path);
        const projectId = where.place(project.id);
        where.and(() => `d.project_id = ${projectId} AND (own.touches OR made.touches)`);
        where.and(
          (at, id) => `(d.appended_at, d.id) < (${at}::timestamptz, ${id})`,
          after === null ? undefined : after[0],
          after === null ? undefined : after[1],
        );
        return tx.rows<PathDecision>(
          pathDecisionsSql({ path, where: where.sql, limit: where.place(limit) }),
          where.parameters,
        );
      },
      keyOf: (decision) => [decision.appended_at, decision.id],
    },
  );
});

/**
 * D6: through the entry's own paths, or through commits of the session that made it.
 */
function pathDecisionsSql({ path, where, limit }: { path: string; where: string; limit: string }): string {
  return `
    SELECT ${LISTED_DECISION_COLUMNS},
      array_remove(ARRAY[CASE WHEN own.touches THEN 'paths' END, CASE WHEN made.touches THEN 'commits' END], NULL) AS matched_by,
      (SELECT json_build_object('commits', json_agg(json_build_object('sha', c.sha, 'build_session_id', c.build_session_id,
         'recorded_at', perdure_instant(c.recorded_at)) ORDER BY c.recorded_at, c.sha))
       FROM (${staleCommitsSql(COMMITS_SHOWN)}) c HAVING count(*) > 0) AS stale
    ${DECISION_FROM}
    CROSS JOIN LATERAL (SELECT EXISTS (SELECT FROM unnest(d.paths) p WHERE ${touches('p', path)}) AS touches) own
    CROSS JOIN LATERAL (SELECT EXISTS (SELECT FROM build_session_commit c CROSS JOIN unnest(c.paths) p
      WHERE c.workspace_id = d.workspace_id AND c.build_session_id = d.build_session_id AND ${touches('p', path)}) AS touches) made
    WHERE d.workspace_id = $1${where}
    ORDER BY d.appended_at DESC, d.id DESC LIMIT ${limit}`;
}
