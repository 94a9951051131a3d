export { bootstrapInstallation } from './platform/bootstrap-installation.js';
export { operatorSignInUrl } from './platform/operator-sign-in.js';
export { createOperations, type Operations, type OperationsOptions } from './dispatcher/create-operations.js';
export { seedDemo, validateToken, type DemoCredentials } from './platform/seed-demo.js';
export {
  mintSignInLink,
  redeemSignInLink,
  signInUrl,
  type SignedInMember,
  type SignInPurpose,
} from './access/sign-in-link.js';
export { mintToken, TOKEN_PATTERN } from './access/token.js';
export { approveClient, grantableScopes, type ApprovedClient, type Approval } from './access/approve-client.js';
export { endMcpGrant, listMcpGrants, revokeOwnMcpGrant, type McpGrant } from './access/mcp-grants.js';
export { admitIdentity, joinByIdentity, type GroupRole } from './access/member-identity.js';
export {
  endWebSession,
  findSignedInPerson,
  listWebSessions,
  startWebSession,
  type SignedInPerson,
  type WebSession,
} from './access/web-session.js';
