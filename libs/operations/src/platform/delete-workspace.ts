import { catalogue } from '@perdure/contracts';
import { implement } from '../dispatcher/implement.js';
import { changeWorkspace } from './find-workspace.js';

const DEFAULT_GRACE_DAYS = 30;
const DAY_MS = 24 * 60 * 60_000;

/** Only schedules: the audit writer deletes what is due, with a role that no request has (docs/adr/0015). */
export const deleteWorkspaceHandler = implement(catalogue.platform.deleteWorkspace, ({ tx, input, now, audit }) =>
  changeWorkspace(tx, input.workspace, async (inside, workspace) => {
    const isScheduled = workspace.status === 'deletion_scheduled';
    if (isScheduled && input.grace_days === undefined) return { workspace };
    const grace = input.grace_days ?? DEFAULT_GRACE_DAYS;
    const deleteAfter = new Date(Date.parse(now) + grace * DAY_MS).toISOString();
    await inside.run(`UPDATE workspace SET status = 'deletion_scheduled', delete_after = $2 WHERE workspace_id = $1`, [
      workspace.id,
      deleteAfter,
    ]);
    audit({
      type: 'workspace.deletion_scheduled',
      subjectId: workspace.id,
      payload: { slug: workspace.slug, reason: input.reason, delete_after: deleteAfter },
    });
    return { workspace: { ...workspace, status: 'deletion_scheduled', delete_after: deleteAfter } };
  }),
);
