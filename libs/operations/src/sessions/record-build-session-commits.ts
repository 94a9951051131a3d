import { catalogue, type CommitObject } from '@perdure/contracts';
import { COMMIT_COLUMNS } from '@perdure/store';
import { implement } from '../dispatcher/implement.js';
import { requireSessionId } from './find-build-session.js';
import { recordCommits } from './record-commits.js';

export const recordBuildSessionCommitsHandler = implement(
  catalogue.sessions.recordBuildSessionCommits,
  async ({ tx, input, now, newId, audit }) => {
    const id = input.build_session_id;
    await requireSessionId(tx, id);
    const eventId = newId();
    const { added, written } = await recordCommits(tx, id, input.commits, { eventId, now });
    const shas = input.commits.map((commit) => commit.sha);
    if (written > 0) {
      audit({ type: 'build_session.commits_recorded', subjectId: id, payload: { commit_shas: shas, added }, eventId });
    }
    const commits = await tx.rows<CommitObject>(
      `SELECT ${COMMIT_COLUMNS} FROM build_session_commit c
       WHERE c.workspace_id = $1 AND c.build_session_id = $2 AND c.sha = ANY($3) ORDER BY c.recorded_at, c.sha`,
      [tx.workspaceId, id, shas],
    );
    return { commits, added };
  },
);
