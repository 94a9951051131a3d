// The arguments of `npm start` and `npm run demo`. Read before the install and the build, so this uses nothing but Node.
import path from 'node:path';
import { parseArgs } from 'node:util';
import { TerminalError } from './terminal-error.mjs';

const DEFAULT_PORT_BASE = 7400;
/** Ports follow each other from the base; ten are kept for one stack. */
const HIGHEST_PORT_BASE = 65_526;
const DEFAULT_DATA = path.resolve(import.meta.dirname, '..', '.perdure');
const OPTIONS = { 'port-base': { type: 'string' }, data: { type: 'string' }, help: { type: 'boolean', short: 'h' } };

const WHAT_IT_DOES = {
  'npm start': 'Starts Postgres, the queue and all applications; Ctrl-C stops them.',
  'npm run demo': 'Plays the story of the README; uses the running stack, else starts one and stops it.',
};

const usage = (program) => `Usage: ${program} -- [--port-base N] [--data DIR]
${WHAT_IT_DOES[program]}
  --port-base N  first of the ports (default ${DEFAULT_PORT_BASE}): api N, mcp N+1, audit-writer N+2, usage-ingest N+3,
                 postgres N+4, redis N+5
  --data DIR     where data, logs and stack.json go (default .perdure in the repository)
Several stacks run side by side when each has its own port base and data folder.`;

/**
 * Reads a command line; null when help was asked for, which is printed. Relative folders count from where the user stands.
 *
 * @param {'npm start' | 'npm run demo'} program
 * @param {string[]} argv
 * @returns {{ dataDir: string, portBase: number, commandFor: (portBase: number) => string } | null} `commandFor` is the
 *   same command for other ports
 * @throws TerminalError with the usage, exit code 2
 */
export function readArguments(program, argv) {
  const refuse = (message) => {
    throw new TerminalError(`${message}\n\n${usage(program)}`, 2);
  };
  const values = readOptions(argv, refuse);
  if (values.help) {
    console.log(usage(program));
    return null;
  }
  // npm changes to the repository and leaves the caller's folder in INIT_CWD.
  const workingFolder = process.env.INIT_CWD ?? process.cwd();
  const dataDir = values.data ? path.resolve(workingFolder, values.data) : DEFAULT_DATA;
  const portBase = values['port-base'] === undefined ? DEFAULT_PORT_BASE : readPortBase(values['port-base'], refuse);
  return { dataDir, portBase, commandFor: (base) => command(program, { dataDir, portBase: base }) };
}

function readOptions(argv, refuse) {
  try {
    return parseArgs({ args: argv, options: OPTIONS }).values;
  } catch (error) {
    const unknown = error.code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION' && /'(-[^']*)'/.exec(error.message)?.[1];
    return refuse(unknown ? `Unknown option ${unknown}; did you mean ${nearestOption(unknown)}?` : error.message);
  }
}

function readPortBase(text, refuse) {
  const base = Number(text);
  if (/^\d+$/.test(text) && base >= 1 && base <= HIGHEST_PORT_BASE) return base;
  return refuse(`--port-base takes a number from 1 to ${HIGHEST_PORT_BASE}, not ${JSON.stringify(text)}.`);
}

/** Defaults are left out. */
function command(program, { dataDir, portBase }) {
  const given = [
    ...(portBase === DEFAULT_PORT_BASE ? [] : ['--port-base', String(portBase)]),
    ...(dataDir === DEFAULT_DATA ? [] : ['--data', /^[\w./@:+-]+$/.test(dataDir) ? dataDir : JSON.stringify(dataDir)]),
  ];
  return given.length === 0 ? program : `${program} -- ${given.join(' ')}`;
}

function nearestOption(unknown) {
  const known = Object.keys(OPTIONS).map((name) => `--${name}`);
  const begun = known.find((option) => option.startsWith(unknown));
  if (begun !== undefined) return begun;
  return known.sort((one, other) => editDistance(unknown, one) - editDistance(unknown, other))[0];
}

/** Levenshtein's: letters to insert, leave out or replace. */
function editDistance(from, to) {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1];
    for (let at = 0; at < to.length; at += 1)
      next.push(Math.min(row[at + 1] + 1, next[at] + 1, row[at] + (letter === to[at] ? 0 : 1)));
    row = next;
  }
  return row[to.length];
}
