import { openOperations, OPERATION_SETTINGS } from '@perdure/runtime';
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

const SETTINGS = { ...OPERATION_SETTINGS, host: httpHost(), port: httpPort(7400) };

/** Calls in flight may finish; a supervisor kills after 30 s at the earliest. */
const DRAIN_MS = 10_000;

async function start(context: ProcessContext): Promise<void> {
  const { lifecycle, logger, env } = context;
  const { config, warnings } = readConfig(SETTINGS, env);
  for (const warning of warnings) logger.warn(warning);
  const { operations, ready } = await openOperations('perdure-api', config, context);
  const health = healthRouter({ ready, isDraining: () => lifecycle.isDraining });
  const server = await listen(createApiApp({ ...operations, health, logger }), config);
  lifecycle.onStop('http', () => closeHttpServer(server, DRAIN_MS), DRAIN_MS + 1_000);
}

void runProcess({ name: 'api', start });
