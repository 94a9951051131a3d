export { recordAuditEvent, sealEvent, type AuditRecord } from './audit-recorder.js';
export { assertSchema, assertUnprivileged, createDataSource } from './data-source.js';
export { ProjectEntity } from './entities/project.js';
export { WorkspaceEntity } from './entities/workspace.js';
export { migrate } from './migrate.js';
export { EnvironmentError, requireVariables, runCommand } from './operator-command.js';
export { translatePostgresError, violatesUnique } from './postgres-errors.js';
export {
  blockersOf,
  commentsOf,
  countBacklogItems,
  findBacklogItem,
  listBacklogItems,
  listReadyBacklogItems,
  READY,
} from './repositories/backlog-items.js';
export {
  ACTOR_JSON,
  type BuildSessionFilter,
  COMMIT_COLUMNS,
  findBuildSession,
  listBuildSessions,
  PULL_REQUEST_JSON,
} from './repositories/build-sessions.js';
export {
  type AccessChange,
  type CredentialRow,
  findCredential,
  readAccessChanges,
  touchCredentials,
} from './repositories/credentials.js';
export { Conditions } from './repositories/conditions.js';
export {
  countDecisions,
  DECISION_FROM,
  decisionChain,
  type DecisionFilter,
  findDecision,
  findListedDecision,
  LISTED_DECISION_COLUMNS,
  listDecisions,
  readDecisions,
  type ListedDecision,
} from './repositories/decisions.js';
export {
  type AccessTokenRow,
  type Artifact,
  type ArtifactKind,
  createOauthStore,
  findAccessToken,
  type OauthStore,
} from './repositories/oauth.js';
export {
  findMemberships,
  findWebSession,
  findWorkspaceNamed,
  type Identity,
  type MembershipRow,
  type WebSessionRow,
} from './repositories/people.js';
export { countRequests } from './repositories/rate-limits.js';
export { findSignInLink, type SignInLinkRow } from './repositories/sign-in-links.js';
export { staleCommitsSql, touches } from './repositories/path-touch.js';
export { addSearch, rankedDecisions, readSearchTerms } from './repositories/text-search.js';
export {
  countOwnRows,
  findWorkspace,
  findWorkspaceAsOwner,
  listWorkspaces,
  lockOwnWorkspace,
} from './repositories/workspaces.js';
export { summariseUsage, type UsageFilter, type UsageGroup, usageOfSession } from './repositories/usage-totals.js';
export { applyReports } from './usage/apply-reports.js';
export { type ExportedUsage, readExport, streamExport } from './usage/export-usage.js';
export { reconcileUsage, type UsageMismatch } from './usage/reconcile-usage.js';
export type { ReportLine, ReportResult } from './usage/report-line.js';
export type { UsageTransaction } from './usage/usage-slots.js';
export type { ReportOrigin } from './usage/write-reports.js';
export { purgeDueWorkspaces, type PurgeConnection, type PurgedWorkspace } from './purge-workspaces.js';
export { streamWorkspaceRows, type WorkspaceRow } from './workspace-rows.js';
export { bootstrapRoles, databaseUrl, QUEUE_SCHEMA, ROLES, type RoleName } from './roles.js';
export {
  unsafelyAsWorkspace,
  withSavepoint,
  withWorkspace,
  type SqlValue,
  type Transaction,
  type TransactionOptions,
} from './transaction.js';
export { NO_QUOTA, type WorkspaceQuota, type WorkspaceStanding } from './workspace-standing.js';
