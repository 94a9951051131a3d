import { catalogue, type InputOf, type WorkspaceObject } from '@perdure/contracts';
import { measureStored } from '../dispatcher/admission.js';
import { implement } from '../dispatcher/implement.js';
import { changeWorkspace } from './find-workspace.js';

type Quota = WorkspaceObject['quota'];

export const setWorkspaceQuotaHandler = implement(catalogue.platform.setWorkspaceQuota, ({ tx, input, now, audit }) =>
  changeWorkspace(tx, input.workspace, async (inside, workspace) => {
    const quota = newQuota(workspace.quota, input);
    const changed = Object.entries(quota).some(([name, limit]) => workspace.quota[name as keyof Quota] !== limit); // its own keys
    if (!changed) return { workspace };
    await inside.run(
      `UPDATE workspace SET quota_requests_per_minute = $2, quota_stored_bytes = $3, quota_build_sessions = $4,
           quota_usage_reports_per_day = $5 WHERE workspace_id = $1`,
      [workspace.id, quota.requests_per_minute, quota.stored_bytes, quota.build_sessions, quota.usage_reports_per_day],
    );
    // A limit below what is there already holds from now on, not from the next measure.
    if (quota.stored_bytes !== null) await measureStored(inside, now);
    audit({
      type: 'workspace.quota_set',
      subjectId: workspace.id,
      payload: { slug: workspace.slug, from: workspace.quota, to: quota },
    });
    return { workspace: { ...workspace, quota } };
  }),
);

/** What was left out stays; null lifts a limit. */
const newQuota = (quota: Quota, input: InputOf<typeof catalogue.platform.setWorkspaceQuota>): Quota => ({
  requests_per_minute: input.requests_per_minute === undefined ? quota.requests_per_minute : input.requests_per_minute,
  stored_bytes: input.stored_bytes === undefined ? quota.stored_bytes : input.stored_bytes,
  build_sessions: input.build_sessions === undefined ? quota.build_sessions : input.build_sessions,
  usage_reports_per_day:
    input.usage_reports_per_day === undefined ? quota.usage_reports_per_day : input.usage_reports_per_day,
});
