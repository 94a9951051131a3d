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
export { TOKEN_PATTERN } from './access/token.js';
