import { pino, stdTimeFunctions, type DestinationStream, type Logger } from 'pino';
import { maskSecrets } from './mask-secrets.js';

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/**
 * JSON lines on standard output: `time` (ISO, UTC), `level`, `app`, `msg`, and `request_id` and `workspace_id` where
 * they are known. Secrets are removed from the finished line, by key and by shape, so that a DSN inside an error message
 * or its stack is caught as well. Free text of callers does not belong into a line: log its length. Lines that come
 * while one is being written go out together; what is left is written when the process exits.
 */
export function createLogger(
  { app, level }: { app: string; level: LogLevel },
  destination: DestinationStream = pino.destination({ dest: 1, sync: false }),
): Logger {
  return pino(
    {
      level,
      base: { app },
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      hooks: { streamWrite: maskSecrets },
    },
    destination,
  );
}
