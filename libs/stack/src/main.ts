import { ArgumentError, DEFAULT_PORT_BASE, parseArguments, USAGE, type LaunchArguments } from './launcher/arguments.js';
import { launchStack } from './launcher/launch-stack.js';
import { PortInUseError } from './network/ports.js';
import { commandLineOf, isRunning, parentOf } from './process/identity.js';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const NPM_POLL_MS = 250;

/**
 * `npm start`: runs the stack until a signal or a service that cannot be kept up, then stops everything.
 *
 * @returns the exit code: 0 after a signal, 1 after a failure, 2 for arguments that make no sense
 */
export async function main(argv: readonly string[]): Promise<number> {
  // A closed pipe (`npm start | head`) must not take the stack down half way through a stop.
  process.stdout.on('error', () => undefined);
  try {
    // npm changes to the repository and leaves the caller's folder in INIT_CWD.
    const parsed = parseArguments(argv, process.env.INIT_CWD ?? process.cwd());
    if (parsed) return await serve(parsed);
    print(USAGE);
    return 0;
  } catch (error) {
    process.stderr.write(`\n${explain(error, argv)}\n`);
    return error instanceof ArgumentError ? 2 : 1;
  }
}

async function serve({ dataDir, portBase }: LaunchArguments): Promise<number> {
  const ending = endRequested();
  const options = { dataDir, portBase, env: process.env, print, signal: ending.signal };
  const running = await launchStack(options).catch((error: unknown) => {
    if (!ending.signal.aborted) throw error;
    return null;
  });
  if (!running) return 0;
  const failure = await Promise.race([running.failed, ending.promise]);
  print(failure ? `\n${failure.message}\nStopping.` : '\nStopping.');
  await running.stop();
  print('Stopped. The data stays; start again with: npm start');
  return failure ? 1 : 0;
}

/**
 * Settles with the first signal. More of them change nothing: on Ctrl-C the terminal sends one to the whole group and npm
 * forwards another.
 */
function endRequested(): { signal: AbortSignal; promise: Promise<null> } {
  const controller = new AbortController();
  const promise = new Promise<null>((resolve) => {
    controller.signal.addEventListener('abort', () => resolve(null));
  });
  for (const signal of SIGNALS) process.on(signal, () => controller.abort());
  watchNpm(() => controller.abort());
  return { signal: controller.signal, promise };
}

/**
 * The terminal, and whoever started us, hold the pid of npm and not ours: when npm is killed, nobody could stop us any
 * more. The timer also keeps this process alive, which its detached children do not.
 */
function watchNpm(onGone: () => void): void {
  const npm = npmAbove();
  setInterval(() => {
    if (npm !== null && !isRunning(npm)) onGone();
  }, NPM_POLL_MS);
}

/** npm runs a script through a shell, which stays between the two or not, as the shell pleases. */
function npmAbove(): number | null {
  const ancestors = [process.ppid, parentOf(process.ppid)];
  return ancestors.find((pid) => pid !== null && /^npm\b|npm-cli\.js/.test(commandLineOf(pid) ?? '')) ?? null;
}

function explain(error: unknown, argv: readonly string[]): string {
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof PortInUseError)) return message;
  const chosen = argv.some((argument) => argument.startsWith('--port-base'));
  const remedy = chosen
    ? 'Choose another --port-base, or end what listens there.'
    : `Every port can be moved: npm start -- --port-base ${DEFAULT_PORT_BASE + 100}`;
  return `${message}\n${remedy}`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

if (require.main === module) {
  void main(process.argv.slice(2)).then((code) => process.exit(code));
}
