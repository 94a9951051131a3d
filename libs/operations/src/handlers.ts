import type { Catalogue, OperationContract } from '@perdure/contracts';
import { getProjectHandler } from './projects/get-project.js';
import { updateProjectHandler } from './projects/update-project.js';
import { archiveProjectHandler } from './projects/archive-project.js';
import { updateBuildSessionStateHandler } from './sessions/update-build-session-state.js';
import { linkBuildSessionContinuationHandler } from './sessions/link-build-session-continuation.js';
import { recordBuildSessionPrsHandler } from './sessions/record-build-session-prs.js';
import { recordBuildSessionCommitsHandler } from './sessions/record-build-session-commits.js';
import { reassignBuildSessionProjectHandler } from './sessions/reassign-build-session-project.js';
import { correctDecisionLogHandler } from './decisions/correct-decision-log.js';
import { getDecisionLogHistoryHandler } from './decisions/get-decision-log-history.js';
import { linkDecisionSourceSessionHandler } from './decisions/link-decision-source-session.js';
import { linkDecisionSourceBacklogItemHandler } from './decisions/link-decision-source-backlog-item.js';
import { exportDecisionLogHandler } from './decisions/export-decision-log.js';
import { decisionsForPathHandler } from './decisions/decisions-for-path.js';
import { changeMemberRoleHandler } from './access/change-member-role.js';
import { inviteMemberHandler } from './access/invite-member.js';
import { issueCredentialHandler } from './access/issue-credential.js';
import { listCredentialsHandler } from './access/list-credentials.js';
import { listMembersHandler } from './access/list-members.js';
import { removeMemberHandler } from './access/remove-member.js';
import { revokeCredentialHandler } from './access/revoke-credential.js';
import { rotateCredentialHandler } from './access/rotate-credential.js';
import { fileBacklogItemHandler } from './backlog/file-backlog-item.js';
import { triageBacklogItemHandler } from './backlog/triage-backlog-item.js';
import { assignBacklogItemHandler } from './backlog/assign-backlog-item.js';
import { claimBacklogItemHandler } from './backlog/claim-backlog-item.js';
import { releaseBacklogItemHandler } from './backlog/release-backlog-item.js';
import { reprioritiseBacklogItemHandler } from './backlog/reprioritise-backlog-item.js';
import { commentBacklogItemHandler } from './backlog/comment-backlog-item.js';
import { blockBacklogItemHandler } from './backlog/block-backlog-item.js';
import { getBacklogItemHandler } from './backlog/get-backlog-item.js';
import { listBacklogItemsHandler } from './backlog/list-backlog-items.js';
import { listReadyBacklogItemsHandler } from './backlog/list-ready-backlog-items.js';
import { countBacklogItemsHandler } from './backlog/count-backlog-items.js';
import { resumeBriefHandler } from './brief/resume-brief.js';
import { checkpointBuildSessionHandler } from './sessions/checkpoint-build-session.js';
import { queryApplicableRulesHandler } from './rules/query-applicable-rules.js';
import { createRuleHandler } from './rules/create-rule.js';
import { reviseRuleHandler } from './rules/revise-rule.js';
import { archiveRuleHandler } from './rules/archive-rule.js';
import { getRuleHandler } from './rules/get-rule.js';
import { listRulesHandler } from './rules/list-rules.js';
import { importRulesHandler } from './rules/import-rules.js';
import { exportRulesHandler } from './rules/export-rules.js';
import { searchDecisionLogHandler } from './decisions/search-decision-log.js';
import { whoAmIHandler } from './access/who-am-i.js';
import { listAuditEventsHandler } from './audit/list-audit-events.js';
import { verifyAuditChainHandler } from './audit/verify-audit-chain.js';
import { appendDecisionLogHandler } from './decisions/append-decision-log.js';
import { getDecisionLogEntryHandler } from './decisions/get-decision-log-entry.js';
import { listDecisionLogHandler } from './decisions/list-decision-log.js';
import type { Implementation } from './dispatcher/implement.js';
import { beginLoopRunHandler } from './loop/begin-loop-run.js';
import { countLoopCallHandler } from './loop/count-loop-call.js';
import { recordLoopMeasurementHandler } from './loop/record-loop-measurement.js';
import { getLoopStateHandler } from './loop/get-loop-state.js';
import { setLoopLimitsHandler } from './loop/set-loop-limits.js';
import { resetLoopWorkHandler } from './loop/reset-loop-work.js';
import { createWorkspaceHandler } from './platform/create-workspace.js';
import { deleteWorkspaceHandler } from './platform/delete-workspace.js';
import { exportWorkspaceHandler } from './platform/export-workspace.js';
import { listWorkspacesHandler } from './platform/list-workspaces.js';
import { resumeWorkspaceHandler } from './platform/resume-workspace.js';
import { setWorkspaceQuotaHandler } from './platform/set-workspace-quota.js';
import { suspendWorkspaceHandler } from './platform/suspend-workspace.js';
import { createProjectHandler } from './projects/create-project.js';
import { listProjectsHandler } from './projects/list-projects.js';
import { endBuildSessionHandler } from './sessions/end-build-session.js';
import { getBuildSessionAggregateHandler } from './sessions/get-build-session-aggregate.js';
import { getBuildSessionHandler } from './sessions/get-build-session.js';
import { listBuildSessionsHandler } from './sessions/list-build-sessions.js';
import { pingBuildSessionHandler } from './sessions/ping-build-session.js';
import { prependBuildSessionLeadHandler } from './sessions/prepend-build-session-lead.js';
import { startBuildSessionHandler } from './sessions/start-build-session.js';
import { recordBuildSessionUsageHandler } from './usage/record-build-session-usage.js';
import { exportUsageHandler } from './usage/export-usage.js';
import { getUsageBatchHandler } from './usage/get-usage-batch.js';
import { submitUsageBatchHandler } from './usage/submit-usage-batch.js';
import { summariseUsageHandler } from './usage/summarise-usage.js';

/** One handler for each contract: an operation without one does not compile. */
type Handlers = {
  readonly [Area in keyof Catalogue]: {
    readonly [Name in keyof Catalogue[Area]]: Catalogue[Area][Name] extends OperationContract
      ? Implementation<Catalogue[Area][Name]>
      : never;
  };
};

const handlers: Handlers = {
  projects: {
    createProject: createProjectHandler,
    listProjects: listProjectsHandler,
    getProject: getProjectHandler,
    updateProject: updateProjectHandler,
    archiveProject: archiveProjectHandler,
  },
  sessions: {
    startBuildSession: startBuildSessionHandler,
    pingBuildSession: pingBuildSessionHandler,
    prependBuildSessionLead: prependBuildSessionLeadHandler,
    endBuildSession: endBuildSessionHandler,
    listBuildSessions: listBuildSessionsHandler,
    getBuildSession: getBuildSessionHandler,
    checkpointBuildSession: checkpointBuildSessionHandler,
    resumeBrief: resumeBriefHandler,
    updateBuildSessionState: updateBuildSessionStateHandler,
    linkBuildSessionContinuation: linkBuildSessionContinuationHandler,
    recordBuildSessionPrs: recordBuildSessionPrsHandler,
    recordBuildSessionCommits: recordBuildSessionCommitsHandler,
    reassignBuildSessionProject: reassignBuildSessionProjectHandler,
    getBuildSessionAggregate: getBuildSessionAggregateHandler,
  },
  decisions: {
    appendDecisionLog: appendDecisionLogHandler,
    getDecisionLogEntry: getDecisionLogEntryHandler,
    listDecisionLog: listDecisionLogHandler,
    searchDecisionLog: searchDecisionLogHandler,
    correctDecisionLog: correctDecisionLogHandler,
    getDecisionLogHistory: getDecisionLogHistoryHandler,
    linkDecisionSourceSession: linkDecisionSourceSessionHandler,
    linkDecisionSourceBacklogItem: linkDecisionSourceBacklogItemHandler,
    exportDecisionLog: exportDecisionLogHandler,
    decisionsForPath: decisionsForPathHandler,
  },
  backlog: {
    fileBacklogItem: fileBacklogItemHandler,
    triageBacklogItem: triageBacklogItemHandler,
    assignBacklogItem: assignBacklogItemHandler,
    claimBacklogItem: claimBacklogItemHandler,
    releaseBacklogItem: releaseBacklogItemHandler,
    reprioritiseBacklogItem: reprioritiseBacklogItemHandler,
    commentBacklogItem: commentBacklogItemHandler,
    blockBacklogItem: blockBacklogItemHandler,
    getBacklogItem: getBacklogItemHandler,
    listBacklogItems: listBacklogItemsHandler,
    listReadyBacklogItems: listReadyBacklogItemsHandler,
    countBacklogItems: countBacklogItemsHandler,
  },
  rules: {
    queryApplicableRules: queryApplicableRulesHandler,
    createRule: createRuleHandler,
    reviseRule: reviseRuleHandler,
    archiveRule: archiveRuleHandler,
    getRule: getRuleHandler,
    listRules: listRulesHandler,
    importRules: importRulesHandler,
    exportRules: exportRulesHandler,
  },
  loop: {
    beginLoopRun: beginLoopRunHandler,
    countLoopCall: countLoopCallHandler,
    recordLoopMeasurement: recordLoopMeasurementHandler,
    getLoopState: getLoopStateHandler,
    setLoopLimits: setLoopLimitsHandler,
    resetLoopWork: resetLoopWorkHandler,
  },
  usage: {
    recordBuildSessionUsage: recordBuildSessionUsageHandler,
    submitUsageBatch: submitUsageBatchHandler,
    getUsageBatch: getUsageBatchHandler,
    summariseUsage: summariseUsageHandler,
    exportUsage: exportUsageHandler,
  },
  audit: { listAuditEvents: listAuditEventsHandler, verifyAuditChain: verifyAuditChainHandler },
  access: {
    whoAmI: whoAmIHandler,
    issueCredential: issueCredentialHandler,
    rotateCredential: rotateCredentialHandler,
    revokeCredential: revokeCredentialHandler,
    listCredentials: listCredentialsHandler,
    inviteMember: inviteMemberHandler,
    changeMemberRole: changeMemberRoleHandler,
    removeMember: removeMemberHandler,
    listMembers: listMembersHandler,
  },
  platform: {
    createWorkspace: createWorkspaceHandler,
    listWorkspaces: listWorkspacesHandler,
    suspendWorkspace: suspendWorkspaceHandler,
    resumeWorkspace: resumeWorkspaceHandler,
    setWorkspaceQuota: setWorkspaceQuotaHandler,
    exportWorkspace: exportWorkspaceHandler,
    deleteWorkspace: deleteWorkspaceHandler,
  },
};

const byName = new Map(
  Object.values(handlers).flatMap((area) =>
    // Each is an implementation of its own contract; the dispatcher pairs it with that contract's parsed input.
    (Object.values(area) as unknown as Implementation[]).map((handler) => [handler.contract.name, handler] as const),
  ),
);

/** @throws Error when there is none: contracts come from the catalogue, so that is a fault of ours */
export function findImplementation(name: string): Implementation {
  const found = byName.get(name);
  if (found === undefined) throw new Error(`no handler for ${name}`);
  return found;
}
