export { openOperations, OPERATION_SETTINGS, type OpenedOperations } from './open-operations.js';
