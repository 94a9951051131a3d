import { catalogue } from '@perdure/contracts';
import { implement } from '../dispatcher/implement.js';
import { requireBuildSession } from './find-build-session.js';
import { recordCommits } from './record-commits.js';
import { readPullRequests, recordPullRequests } from './record-pull-requests.js';

export const endBuildSessionHandler = implement(
  catalogue.sessions.endBuildSession,
  async ({ tx, input, now, audit }) => {
    const id = input.build_session_id;
    const prs = readPullRequests('related_prs', input.related_prs ?? []);
    // S13: of many ends at once the first takes the row; the others wait on it, find it ended and change nothing.
    const ended = await tx.run(
      `UPDATE build_session SET status = 'ended', ended_at = greatest($3::timestamptz, started_at),
         session_history_entry_markdown = $4
       WHERE workspace_id = $1 AND id = $2 AND status = 'active'`,
      [tx.workspaceId, id, now, input.session_history_entry_markdown],
    );
    if (ended === 0) return { build_session: await requireBuildSession(tx, id), ended: false };
    const commits = (input.related_commit_shas ?? []).map((sha) => ({ sha }));
    const eventId = audit({
      type: 'build_session.ended',
      subjectId: id,
      payload: { pr_urls: prs.map((pr) => pr.url), commit_shas: commits.map((commit) => commit.sha) },
    });
    await recordPullRequests(tx, id, prs, { eventId, now });
    await recordCommits(tx, id, commits, { eventId, now });
    return { build_session: await requireBuildSession(tx, id), ended: true };
  },
);
