import path from 'node:path';
import { parseArgs } from 'node:util';
import { REPOSITORY_ROOT } from '../repository-root.js';

export const DEFAULT_PORT_BASE = 7400;
/** Ports follow each other from the base; ten are kept for one stack. */
const HIGHEST_PORT_BASE = 65_526;

export const USAGE = `Usage: npm start -- [--port-base N] [--data DIR]
  --port-base N  first of the ports (default ${DEFAULT_PORT_BASE}): api N, mcp N+1, audit-writer N+2, usage-ingest N+3,
                 postgres N+4, redis N+5
  --data DIR     where data, logs and stack.json go (default .perdure in the repository)
Several stacks run side by side when each has its own port base and data folder.`;

export interface LaunchArguments {
  dataDir: string;
  portBase: number;
}

/** Arguments that cannot be used; the message says how they should look. */
export class ArgumentError extends Error {
  constructor(message: string) {
    super(`${message}\n\n${USAGE}`);
    this.name = 'ArgumentError';
  }
}

/**
 * Reads the command line of `npm start`; null when help was asked for. Relative folders count from `workingFolder`,
 * where the user stands: npm itself changes to the repository.
 */
export function parseArguments(argv: readonly string[], workingFolder: string): LaunchArguments | null {
  const { values } = readOptions(argv);
  if (values.help) return null;
  return {
    dataDir: values.data ? path.resolve(workingFolder, values.data) : path.join(REPOSITORY_ROOT, '.perdure'),
    portBase: values['port-base'] === undefined ? DEFAULT_PORT_BASE : readPortBase(values['port-base']),
  };
}

function readOptions(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      options: { 'port-base': { type: 'string' }, data: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
    });
  } catch (error) {
    throw new ArgumentError(error instanceof Object && 'message' in error ? String(error.message) : String(error));
  }
}

function readPortBase(text: string): number {
  const base = Number(text);
  if (/^\d+$/.test(text) && base >= 1 && base <= HIGHEST_PORT_BASE) return base;
  throw new ArgumentError(`--port-base takes a number from 1 to ${HIGHEST_PORT_BASE}, not ${JSON.stringify(text)}.`);
}
