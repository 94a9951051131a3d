export type { TrpcContext } from './context.js';
export { toTrpcError } from './errors.js';
export { createRouter, type AppRouter } from './router.js';
