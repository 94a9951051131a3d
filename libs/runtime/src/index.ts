export { AUTHORIZATION_SETTINGS, openAuthorization, type OpenedAuthorization } from './open-authorization.js';
export { openOperations, OPERATION_SETTINGS, type OpenedOperations } from './open-operations.js';
export { openLimits, LIMIT_SETTINGS } from './open-limits.js';
