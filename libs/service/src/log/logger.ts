import { pino, stdTimeFunctions, type DestinationStream, type Logger } from 'pino';
import { currentLogContext } from './log-context.js';
import { maskSecrets } from './mask-secrets.js';

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const SECRET_KEYS = ['authorization', 'cookie', '["set-cookie"]', 'secret', 'token', 'password'];

/** pino matches one level per star: three levels reach `headers` inside `req` inside a field of ours. */
const REDACTED_PATHS = ['', '*.', '*.*.'].flatMap((depth) => SECRET_KEYS.map((key) => join(depth, key)));

/**
 * JSON lines on standard output: `time` (ISO, UTC), `level`, `app`, `msg`, and `request_id` and `workspace_id` when
 * known. Secrets are removed twice: by key, and by shape over the whole finished line, so that a DSN inside an error
 * message or its stack is caught as well. Free text of callers does not belong into a line: log its length.
 */
export function createLogger(
  { app, level }: { app: string; level: LogLevel },
  destination: DestinationStream = pino.destination({ dest: 1, sync: true }),
): Logger {
  return pino(
    {
      level,
      base: { app },
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      mixin: () => ({ ...currentLogContext() }),
      redact: { paths: REDACTED_PATHS, censor: '[redacted]' },
      hooks: { streamWrite: maskSecrets },
    },
    destination,
  );
}

function join(depth: string, key: string): string {
  // A bracketed key follows its parent without a dot.
  return key.startsWith('[') ? `${depth.replace(/\.$/, '')}${key}` : `${depth}${key}`;
}
