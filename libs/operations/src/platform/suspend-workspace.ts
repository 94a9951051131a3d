import { catalogue, DomainError } from '@perdure/contracts';
import { implement } from '../dispatcher/implement.js';
import { changeWorkspace } from './find-workspace.js';

/** The row's lock is all it takes: a write reads the state in the message that begins its transaction. */
export const suspendWorkspaceHandler = implement(catalogue.platform.suspendWorkspace, ({ tx, input, audit }) =>
  changeWorkspace(tx, input.workspace, async (inside, workspace) => {
    if (workspace.status === 'suspended') return { workspace };
    if (workspace.status === 'deletion_scheduled') {
      throw new DomainError('illegal_transition', 'The workspace is about to be deleted and refuses writes already.', {
        status: workspace.status,
        allowed: ['active'],
      });
    }
    await inside.run(`UPDATE workspace SET status = 'suspended' WHERE workspace_id = $1`, [workspace.id]);
    audit({
      type: 'workspace.suspended',
      subjectId: workspace.id,
      payload: { slug: workspace.slug, reason: input.reason },
    });
    return { workspace: { ...workspace, status: 'suspended' } };
  }),
);
