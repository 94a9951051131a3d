import {
  AUTHORIZATION_SETTINGS,
  LIMIT_SETTINGS,
  openAuthorization,
  openLimits,
  openOperations,
  OPERATION_SETTINGS,
} from '@perdure/runtime';
import {
  allowedOrigins,
  closeHttpServer,
  healthRouter,
  httpHost,
  httpPort,
  listen,
  loopbackHostNames,
  readConfig,
  runProcess,
  trustedProxies,
  type ProcessContext,
} from '@perdure/service';
import { createGatewayApp } from './app.js';
import { conformanceFixtures, refuseOutsideTests } from './conformance-setting.js';
import { createMcpEndpoint, type McpEndpoint } from './mcp-endpoint.js';

const SETTINGS = {
  ...OPERATION_SETTINGS,
  ...AUTHORIZATION_SETTINGS,
  ...LIMIT_SETTINGS,
  host: httpHost(),
  port: httpPort(7401),
  allowedOrigins: allowedOrigins(),
  trustedProxies: trustedProxies(),
  conformance: conformanceFixtures(),
};

/** Calls in flight may finish; a supervisor kills after 30 s at the earliest. */
const DRAIN_MS = 10_000;

/** @param conformance with the fixtures of the conformance suite; refuseOutsideTests() allows it in tests alone */
async function endpointFor(conformance: boolean, { logger }: ProcessContext): Promise<McpEndpoint> {
  const onError = (error: Error) => logger.warn({ err: error }, 'mcp transport');
  if (!conformance) return createMcpEndpoint({ onError });
  logger.warn('the fixtures of the conformance suite are mounted');
  const { createFixtureEndpoint } = await import('./conformance/fixture-endpoint.js');
  return createFixtureEndpoint(onError);
}

async function start(context: ProcessContext): Promise<void> {
  const { lifecycle, logger, env } = context;
  const { config, warnings } = readConfig(SETTINGS, env);
  refuseOutsideTests(config);
  for (const warning of warnings) logger.warn(warning);
  const opened = await openOperations('perdure-mcp-gateway', config, context);
  const authorization = await openAuthorization(opened, config, context);
  const endpoint = await endpointFor(config.conformance, context);
  const app = createGatewayApp({
    ...opened.operations,
    limits: openLimits(opened, config, context),
    authorization,
    publicUrl: config.publicUrl,
    endpoint,
    logger,
    health: healthRouter({ ready: opened.ready, isDraining: () => lifecycle.isDraining }),
    allowedOrigins: config.allowedOrigins,
    trustedProxies: config.trustedProxies,
    hostNames: loopbackHostNames(config.host, config.publicUrl),
  });
  const server = await listen(app, config);
  const stop = async () => {
    const closed = closeHttpServer(server, DRAIN_MS);
    // A stream ends only when it is told to: the server would wait for its client to leave.
    await endpoint.close();
    await closed;
  };
  lifecycle.onStop('http', stop, DRAIN_MS + 1_000);
}

void runProcess({ name: 'mcp-gateway', start });
