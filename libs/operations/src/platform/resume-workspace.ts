import { catalogue } from '@perdure/contracts';
import { implement } from '../dispatcher/implement.js';
import { changeWorkspace } from './find-workspace.js';

export const resumeWorkspaceHandler = implement(catalogue.platform.resumeWorkspace, ({ tx, input, audit }) =>
  changeWorkspace(tx, input.workspace, async (inside, workspace) => {
    if (workspace.status === 'active') return { workspace };
    await inside.run(`UPDATE workspace SET status = 'active', delete_after = NULL WHERE workspace_id = $1`, [
      workspace.id,
    ]);
    audit({
      type: 'workspace.resumed',
      subjectId: workspace.id,
      payload: { slug: workspace.slug, reason: input.reason, from: workspace.status },
    });
    return { workspace: { ...workspace, status: 'active', delete_after: null } };
  }),
);
