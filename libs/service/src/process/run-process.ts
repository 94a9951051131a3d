import type { Logger } from 'pino';
import { ConfigError, exitWithConfigError } from '../config/config-error.js';
import { createLogger, LOG_LEVELS, type LogLevel } from '../log/logger.js';
import { Lifecycle } from './lifecycle.js';

export interface ProcessContext {
  lifecycle: Lifecycle;
  logger: Logger;
  env: NodeJS.ProcessEnv;
  /** Ends the process in order, with code 1: for a fault that no retry can mend. */
  fail: (error: unknown) => void;
}

export interface ProcessOptions {
  name: string;
  start: (context: ProcessContext) => Promise<void>;
}

/**
 * The life of a process: start; on SIGTERM or SIGINT stop in order and end with 0, or 1 when a step did not finish;
 * a second signal ends it at once with 1. A wrong configuration ends it with 78. An error that nobody caught is
 * logged and ends it with 1, stopping in order first: what is in flight should not be lost to it.
 */
export async function runProcess({ name, start }: ProcessOptions): Promise<void> {
  const logger = createLogger({ app: name, level: levelFrom(process.env) });
  const lifecycle = new Lifecycle(logger);
  let faults = 0;
  const end = async () => {
    const stopped = await lifecycle.stop();
    process.exit(stopped && faults === 0 ? 0 : 1);
  };
  const fail = (error: unknown) => {
    faults += 1;
    logger.fatal({ err: error }, 'the process cannot go on');
    void end();
  };
  process.on('uncaughtException', fail);
  process.on('unhandledRejection', fail);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (lifecycle.isDraining) process.exit(1);
      logger.info({ signal }, 'stopping');
      void end();
    });
  }
  try {
    await start({ lifecycle, logger, env: process.env, fail });
    if (!lifecycle.isDraining) logger.info('started');
  } catch (error) {
    if (error instanceof ConfigError) exitWithConfigError(error);
    fail(error);
  }
}

/** The level is needed before the configuration is read, and a wrong one is reported there. */
function levelFrom(env: NodeJS.ProcessEnv): LogLevel {
  return LOG_LEVELS.find((level) => level === env['PERDURE_LOG_LEVEL']) ?? 'info';
}
