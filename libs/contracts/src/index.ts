export type { Authenticate, Caller, CallOptions, CallResult, Download, RunOperation } from './caller.js';
export type { McpClient } from './access/issue-credential.js';
export { INLINE_EXPORT_BYTES } from './platform/export-workspace.js';
export { allOperations, catalogue, findOperation, type Catalogue } from './catalogue.js';
export {
  defineOperation,
  isAllowedBy,
  type Area,
  type InputOf,
  type OperationContract,
  type OperationKind,
  type OutputOf,
  type RawInputOf,
  type ToolSet,
} from './define-operation.js';
export {
  DomainError,
  ERROR_CODES,
  ERROR_KINDS,
  errorBodyOf,
  type ErrorBody,
  type ErrorCode,
  type ErrorDetails,
  type ErrorKind,
} from './errors.js';
export { EVENT_TYPES, type AuditedEventName, type EventTypeName, type SubjectType } from './events.js';
export type { OperationExample } from './examples/example.js';
export { operationExamples } from './examples/examples.js';
export { idempotencyKey, LIMITS, ULID_PATTERN } from './fields.js';
export { answerJsonSchema, argumentsJsonSchema, SHARED_OBJECT, type JsonSchema } from './json-schema.js';
export {
  DEFAULT_LOOP_LIMITS,
  diffHashProblem,
  failingSignatureProblem,
  hasNoProgress,
  LOOP_BOUNDS,
  sessionIdProblem,
  unchangedAfter,
  type LastMeasured,
  type LoopMeasurement,
} from './loop-rules.js';
export type { ActorObject } from './objects/actor.js';
export type { AuditEntryObject } from './objects/audit-entry.js';
export type { BacklogCommentObject } from './objects/backlog-comment.js';
export {
  BACKLOG_PRIORITIES,
  BACKLOG_STATUSES,
  type BacklogItemObject,
  type BacklogStatus,
} from './objects/backlog-item.js';
export type { BriefDecision, BriefLoop, BriefSections, BriefSession } from './objects/brief.js';
export type { BuildSessionObject } from './objects/build-session.js';
export type { CommitObject } from './objects/commit.js';
export type { CredentialObject } from './objects/credential.js';
export { DECISION_KINDS, type DecisionObject } from './objects/decision.js';
export type { LoopLimitsObject, LoopRunObject, LoopWorkObject } from './objects/loop.js';
export type { MemberObject } from './objects/member.js';
export type { ProjectObject } from './objects/project.js';
export type { LinkedIssueObject, PullRequestObject } from './objects/pull-request.js';
export { sharedObjectName } from './objects/shared-objects.js';
export type { ApplicableRuleObject, NearMissObject, RuleObject } from './objects/rule.js';
export { INLINE_USAGE_ROWS, USAGE_EXPORT_TYPES } from './usage/export-usage.js';
export { USAGE_BATCH_LIMITS } from './usage/submit-usage-batch.js';
export type { UsageTotalsObject } from './objects/usage-totals.js';
export {
  usageReport,
  usageTranscript,
  type UsageReport,
  type UsageResponse,
  type UsageTranscript,
} from './objects/usage-transcript.js';
export type { ListedWorkspaceObject, WorkspaceObject } from './objects/workspace.js';
export { GRANTABLE_SCOPES, SCOPE_SENTENCES } from './scope-sentences.js';
export {
  MEMBER_ROLES,
  ROLE_SCOPES,
  SCOPE_PRESETS,
  SCOPES,
  type MemberRole,
  type Scope,
  type ScopePreset,
} from './scopes.js';
export { codePointLength, isBlank } from './text.js';
