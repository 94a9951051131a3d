export {
  clientMetadataHosts,
  oidcClientId,
  oidcClientSecret,
  oidcGroups,
  oidcGroupsClaim,
  oidcIssuer,
  oidcName,
  oidcScope,
  type GroupRule,
} from './config/authorization-settings.js';
export { ConfigError, exitWithConfigError, type ConfigProblem } from './config/config-error.js';
export {
  allowedOrigins,
  apiUrl,
  databaseUrl,
  environmentName,
  httpHost,
  httpPort,
  logLevel,
  mcpUrl,
  poolSize,
  preparedStatements,
  publicUrl,
  queueUrl,
  trustedProxies,
  usageBacklog,
  usageBatchDays,
  type EnvironmentName,
} from './config/product-settings.js';
export {
  addressRequestsPerMinute,
  credentialRequestsPerMinute,
  failedAuthenticationsPerMinute,
} from './config/limit-settings.js';
export { readConfig, type Environment, type ReadConfig } from './config/read-config.js';
export type { ConfigOf, Setting, Settings } from './config/setting.js';
export { VARIABLE_NAMES } from './config/variable-names.js';
export { withConnection } from './database/with-connection.js';
export { healthRouter, type HealthOptions } from './health/health-router.js';
export { startHealthServer, type HealthServerOptions } from './health/health-server.js';
export type { CheckOutcome, ReadinessCheck } from './health/readiness.js';
export { belowBasePath } from './http/below-base-path.js';
export { browserGuard, loopbackHostNames, type BrowserGuardOptions } from './http/browser-guard.js';
export { closeHttpServer } from './http/close-http-server.js';
export { jsonBody } from './http/json-body.js';
export { listen, ListenError, portOf, type ListenAddress } from './http/listen.js';
export {
  describeRequest,
  logFieldsOf,
  requestContext,
  type RequestFacts,
  type RequestLogFields,
} from './http/request-context.js';
export { RefusedKey, refuseBadKeys } from './http/refused-key.js';
export { callerOf } from './http/caller-of.js';
export { requireCaller, type Challenge } from './http/require-caller.js';
export {
  applyServerTimeouts,
  HEADERS_TIMEOUT_MS,
  KEEP_ALIVE_TIMEOUT_MS,
  REQUEST_TIMEOUT_MS,
} from './http/server-timeouts.js';
export type { SharedCounts } from './limits/allowances.js';
export { limitAddresses, limitCallers, RequestLimits, type RequestLimitOptions } from './limits/request-limits.js';
export { createLogger, LOG_LEVELS, type LogLevel } from './log/logger.js';
export { maskSecrets } from './log/mask-secrets.js';
export { Metrics } from './metrics/metrics.js';
export { CoalescedLoop } from './process/coalesced-loop.js';
export { DrainLoop, type DrainLoopOptions, type WaitingWork } from './process/drain-loop.js';
export { Lifecycle } from './process/lifecycle.js';
export { runProcess, type ProcessContext, type ProcessOptions } from './process/run-process.js';
