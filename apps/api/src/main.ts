import { readFileSync } from 'node:fs';
import path from 'node:path';
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
import { createApiApp } from './app.js';

const SETTINGS = {
  ...OPERATION_SETTINGS,
  ...AUTHORIZATION_SETTINGS,
  ...LIMIT_SETTINGS,
  host: httpHost(),
  port: httpPort(7400),
  allowedOrigins: allowedOrigins(),
  trustedProxies: trustedProxies(),
};

/** Calls in flight may finish; a supervisor kills after 30 s at the earliest. */
const DRAIN_MS = 10_000;

async function start(context: ProcessContext): Promise<void> {
  const { lifecycle, logger, env } = context;
  const { config, warnings } = readConfig(SETTINGS, env);
  for (const warning of warnings) logger.warn(warning);
  const opened = await openOperations('perdure-api', config, context);
  const authorization = await openAuthorization(opened, config, context);
  const app = createApiApp({
    ...opened.operations,
    limits: openLimits(opened, config, context),
    health: healthRouter({ ready: opened.ready, isDraining: () => lifecycle.isDraining }),
    logger,
    version: productVersion(),
    authorization,
    publicUrl: config.publicUrl,
    trustedProxies: config.trustedProxies,
    // Its own pages are allowed by their origin, whatever address stands before it.
    allowedOrigins: [...config.allowedOrigins, ...[config.publicUrl, config.apiUrl].flatMap(originOf)],
    hostNames: loopbackHostNames(config.host, config.publicUrl ?? config.apiUrl),
  });
  const server = await listen(app, config);
  lifecycle.onStop('http', () => closeHttpServer(server, DRAIN_MS), DRAIN_MS + 1_000);
}

const originOf = (url: string | null): string[] => (url === null ? [] : [new URL(url).origin]);

/** Of the package, which all packages of the product share. */
function productVersion(): string {
  const { version }: { version: string } = JSON.parse(readFileSync(path.join(__dirname, '..', 'package.json'), 'utf8'));
  return version;
}

void runProcess({ name: 'api', start });
