import { readFileSync } from 'node:fs';
import path from 'node:path';
import { AUTHORIZATION_SETTINGS, openAuthorization, openOperations, OPERATION_SETTINGS } from '@perdure/runtime';
import {
  closeHttpServer,
  healthRouter,
  httpHost,
  httpPort,
  listen,
  readConfig,
  runProcess,
  type ProcessContext,
} from '@perdure/service';
import { createApiApp } from './app.js';

const SETTINGS = { ...OPERATION_SETTINGS, ...AUTHORIZATION_SETTINGS, host: httpHost(), port: httpPort(7400) };

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
    health: healthRouter({ ready: opened.ready, isDraining: () => lifecycle.isDraining }),
    logger,
    version: productVersion(),
    authorization,
    publicUrl: config.publicUrl,
  });
  const server = await listen(app, config);
  lifecycle.onStop('http', () => closeHttpServer(server, DRAIN_MS), DRAIN_MS + 1_000);
}

/** Of the package, which all packages of the product share. */
function productVersion(): string {
  const { version }: { version: string } = JSON.parse(readFileSync(path.join(__dirname, '..', 'package.json'), 'utf8'));
  return version;
}

void runProcess({ name: 'api', start });
