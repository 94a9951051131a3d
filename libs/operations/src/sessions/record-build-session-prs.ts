import { catalogue, type PullRequestObject } from '@perdure/contracts';
import { PULL_REQUEST_JSON, type Transaction } from '@perdure/store';
import { implement } from '../dispatcher/implement.js';
import { requireSessionId } from './find-build-session.js';
import { readPullRequests, type ReadPullRequest, recordPullRequests } from './record-pull-requests.js';

export const recordBuildSessionPrsHandler = implement(
  catalogue.sessions.recordBuildSessionPrs,
  async ({ tx, input, now, newId, audit }) => {
    const id = input.build_session_id;
    const prs = readPullRequests('prs', input.prs);
    await requireSessionId(tx, id);
    const eventId = newId();
    const { added, written } = await recordPullRequests(tx, id, prs, { eventId, now });
    if (written > 0) {
      const payload = { pr_urls: prs.map((pr) => pr.url), added };
      audit({ type: 'build_session.prs_recorded', subjectId: id, payload, eventId });
    }
    return { prs: await recorded(tx, id, prs), added };
  },
);

/** The named pull requests as they stand now, each once. */
async function recorded(
  tx: Transaction,
  sessionId: string,
  prs: readonly ReadPullRequest[],
): Promise<PullRequestObject[]> {
  const rows = await tx.rows<{ pr: PullRequestObject }>(
    `SELECT ${PULL_REQUEST_JSON} AS pr FROM build_session_pr p
     WHERE p.workspace_id = $1 AND p.build_session_id = $2
       AND (p.forge, p.host, p.repository, p.number) IN (SELECT * FROM unnest($3::text[], $4::text[], $5::text[], $6::bigint[]))
     ORDER BY p.recorded_at, p.url`,
    [
      tx.workspaceId,
      sessionId,
      prs.map((pr) => pr.forge),
      prs.map((pr) => pr.host),
      prs.map((pr) => pr.repository),
      prs.map((pr) => pr.number),
    ],
  );
  return rows.map((row) => row.pr);
}
