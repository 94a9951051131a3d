export { recordAuditEvent, type AuditRecord } from './audit-recorder.js';
export { assertUnprivileged, createDataSource, ENTITIES } from './data-source.js';
export { ActorEntity } from './entities/actor.js';
export { CredentialEntity } from './entities/credential.js';
export { DecisionEntity } from './entities/decision.js';
export { ProjectEntity } from './entities/project.js';
export { WorkspaceEntity } from './entities/workspace.js';
export { migrate, SCHEMA_VERSION } from './migrate.js';
export { translatePostgresError } from './postgres-errors.js';
export {
  ACTOR_JSON,
  type BuildSessionFilter,
  findBuildSession,
  listBuildSessions,
  PULL_REQUEST_JSON,
} from './repositories/build-sessions.js';
export { Conditions } from './repositories/conditions.js';
export {
  countDecisions,
  type DecisionFilter,
  findDecision,
  findListedDecision,
  listDecisions,
  type ListedDecision,
} from './repositories/decisions.js';
export { bootstrapRoles, databaseUrl, QUEUE_SCHEMA, ROLES, type RoleName } from './roles.js';
export {
  unsafelyAsWorkspace,
  withWorkspace,
  type SqlValue,
  type Transaction,
  type TransactionOptions,
} from './transaction.js';
