import { fileBacklogItem } from './backlog/file-backlog-item.js';
import { triageBacklogItem } from './backlog/triage-backlog-item.js';
import { assignBacklogItem } from './backlog/assign-backlog-item.js';
import { claimBacklogItem } from './backlog/claim-backlog-item.js';
import { releaseBacklogItem } from './backlog/release-backlog-item.js';
import { reprioritiseBacklogItem } from './backlog/reprioritise-backlog-item.js';
import { commentBacklogItem } from './backlog/comment-backlog-item.js';
import { blockBacklogItem } from './backlog/block-backlog-item.js';
import { getBacklogItem } from './backlog/get-backlog-item.js';
import { listBacklogItems } from './backlog/list-backlog-items.js';
import { listReadyBacklogItems } from './backlog/list-ready-backlog-items.js';
import { countBacklogItems } from './backlog/count-backlog-items.js';
import { issueCredential } from './access/issue-credential.js';
import { rotateCredential } from './access/rotate-credential.js';
import { revokeCredential } from './access/revoke-credential.js';
import { listCredentials } from './access/list-credentials.js';
import { inviteMember } from './access/invite-member.js';
import { changeMemberRole } from './access/change-member-role.js';
import { removeMember } from './access/remove-member.js';
import { listMembers } from './access/list-members.js';
import { whoAmI } from './access/who-am-i.js';
import { listAuditEvents } from './audit/list-audit-events.js';
import { verifyAuditChain } from './audit/verify-audit-chain.js';
import { correctDecisionLog } from './decisions/correct-decision-log.js';
import { decisionsForPath } from './decisions/decisions-for-path.js';
import { exportDecisionLog } from './decisions/export-decision-log.js';
import { getDecisionLogHistory } from './decisions/get-decision-log-history.js';
import { linkDecisionSourceBacklogItem } from './decisions/link-decision-source-backlog-item.js';
import { linkDecisionSourceSession } from './decisions/link-decision-source-session.js';
import { archiveProject } from './projects/archive-project.js';
import { getProject } from './projects/get-project.js';
import { updateProject } from './projects/update-project.js';
import { linkBuildSessionContinuation } from './sessions/link-build-session-continuation.js';
import { reassignBuildSessionProject } from './sessions/reassign-build-session-project.js';
import { recordBuildSessionCommits } from './sessions/record-build-session-commits.js';
import { recordBuildSessionPrs } from './sessions/record-build-session-prs.js';
import { updateBuildSessionState } from './sessions/update-build-session-state.js';
import { appendDecisionLog } from './decisions/append-decision-log.js';
import { getDecisionLogEntry } from './decisions/get-decision-log-entry.js';
import { listDecisionLog } from './decisions/list-decision-log.js';
import { searchDecisionLog } from './decisions/search-decision-log.js';
import type { Area, OperationContract } from './define-operation.js';
import { beginLoopRun } from './loop/begin-loop-run.js';
import { countLoopCall } from './loop/count-loop-call.js';
import { recordLoopMeasurement } from './loop/record-loop-measurement.js';
import { getLoopState } from './loop/get-loop-state.js';
import { setLoopLimits } from './loop/set-loop-limits.js';
import { resetLoopWork } from './loop/reset-loop-work.js';
import { queryApplicableRules } from './rules/query-applicable-rules.js';
import { createRule } from './rules/create-rule.js';
import { reviseRule } from './rules/revise-rule.js';
import { archiveRule } from './rules/archive-rule.js';
import { getRule } from './rules/get-rule.js';
import { listRules } from './rules/list-rules.js';
import { importRules } from './rules/import-rules.js';
import { exportRules } from './rules/export-rules.js';
import { exportUsage } from './usage/export-usage.js';
import { getUsageBatch } from './usage/get-usage-batch.js';
import { submitUsageBatch } from './usage/submit-usage-batch.js';
import { recordBuildSessionUsage } from './usage/record-build-session-usage.js';
import { summariseUsage } from './usage/summarise-usage.js';
import { createWorkspace } from './platform/create-workspace.js';
import { listWorkspaces } from './platform/list-workspaces.js';
import { suspendWorkspace } from './platform/suspend-workspace.js';
import { resumeWorkspace } from './platform/resume-workspace.js';
import { setWorkspaceQuota } from './platform/set-workspace-quota.js';
import { exportWorkspace } from './platform/export-workspace.js';
import { deleteWorkspace } from './platform/delete-workspace.js';
import { createProject } from './projects/create-project.js';
import { listProjects } from './projects/list-projects.js';
import { checkpointBuildSession } from './sessions/checkpoint-build-session.js';
import { endBuildSession } from './sessions/end-build-session.js';
import { getBuildSessionAggregate } from './sessions/get-build-session-aggregate.js';
import { getBuildSession } from './sessions/get-build-session.js';
import { listBuildSessions } from './sessions/list-build-sessions.js';
import { pingBuildSession } from './sessions/ping-build-session.js';
import { prependBuildSessionLead } from './sessions/prepend-build-session-lead.js';
import { resumeBrief } from './sessions/resume-brief.js';
import { startBuildSession } from './sessions/start-build-session.js';

/**
 * Every operation, by area; the key is the name in camel case and so the tRPC path.
 * A contract that is not here does not exist: transports, handlers, docs and tests iterate over this object.
 */
export const catalogue = {
  projects: { createProject, listProjects, getProject, updateProject, archiveProject },
  sessions: {
    startBuildSession,
    pingBuildSession,
    prependBuildSessionLead,
    updateBuildSessionState,
    linkBuildSessionContinuation,
    recordBuildSessionPrs,
    recordBuildSessionCommits,
    endBuildSession,
    checkpointBuildSession,
    reassignBuildSessionProject,
    listBuildSessions,
    getBuildSession,
    getBuildSessionAggregate,
    resumeBrief,
  },
  decisions: {
    appendDecisionLog,
    correctDecisionLog,
    getDecisionLogEntry,
    listDecisionLog,
    searchDecisionLog,
    getDecisionLogHistory,
    linkDecisionSourceSession,
    linkDecisionSourceBacklogItem,
    exportDecisionLog,
    decisionsForPath,
  },
  backlog: {
    fileBacklogItem,
    triageBacklogItem,
    assignBacklogItem,
    claimBacklogItem,
    releaseBacklogItem,
    reprioritiseBacklogItem,
    commentBacklogItem,
    blockBacklogItem,
    getBacklogItem,
    listBacklogItems,
    listReadyBacklogItems,
    countBacklogItems,
  },
  rules: {
    queryApplicableRules,
    createRule,
    reviseRule,
    archiveRule,
    getRule,
    listRules,
    importRules,
    exportRules,
  },
  loop: {
    beginLoopRun,
    countLoopCall,
    recordLoopMeasurement,
    getLoopState,
    setLoopLimits,
    resetLoopWork,
  },
  usage: { recordBuildSessionUsage, submitUsageBatch, getUsageBatch, summariseUsage, exportUsage },
  audit: { listAuditEvents, verifyAuditChain },
  access: {
    whoAmI,
    issueCredential,
    rotateCredential,
    revokeCredential,
    listCredentials,
    inviteMember,
    changeMemberRole,
    removeMember,
    listMembers,
  },
  platform: {
    createWorkspace,
    listWorkspaces,
    suspendWorkspace,
    resumeWorkspace,
    setWorkspaceQuota,
    exportWorkspace,
    deleteWorkspace,
  },
} as const satisfies Record<Area, Record<string, unknown>>;

export type Catalogue = typeof catalogue;

/** Every contract in catalogue order, which is the stable order of `tools/list`. */
export const allOperations: readonly OperationContract[] = Object.values(catalogue).flatMap(
  (area) => Object.values(area) as unknown as OperationContract[], // each is one; only their union is too wide to say so
);

const byName = new Map(allOperations.map((contract) => [contract.name, contract]));

/** The contract of that name, or undefined. */
export const findOperation = (name: string): OperationContract | undefined => byName.get(name);
