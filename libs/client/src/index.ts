export { connectionFromEnvironment, type PerdureConnection } from './connection.js';
export {
  createPerdureClient,
  idempotent,
  type PerdureClient,
  type PerdureClientOptions,
  type PerdureInputs,
  type PerdureOutputs,
} from './perdure-client.js';
export { PerdureError, type NoAnswer } from './perdure-error.js';
