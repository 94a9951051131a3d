// The light half of the package, for tests and tools that need a server and no installation.
export { endLeftovers, forgetProcess, noteProcess } from './process/leftovers.js';
export { freePort, isPortFree, PortInUseError } from './network/ports.js';
export { startPostgres, type PostgresOptions, type RunningPostgres } from './postgres/start-postgres.js';
export { endProcess } from './process/end-process.js';
export { findProgram } from './process/find-program.js';
export { identityOf, isRunning } from './process/identity.js';
export { ApplicationStartError, startApplication, type ApplicationStart } from './process/start-application.js';
export type { RunningProcess } from './process/running.js';
export { findRedisServer } from './redis/find-redis-server.js';
export { startRedis, type RedisOptions, type RunningRedis } from './redis/start-redis.js';
export { REPOSITORY_ROOT } from './repository-root.js';
