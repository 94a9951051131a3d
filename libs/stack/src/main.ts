import { explainLaunchFailure, type LaunchCommand } from './launcher/explain-launch-failure.js';
import { launchStack } from './launcher/launch-stack.js';
import { commandLineOf, isRunning, parentOf } from './process/identity.js';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const NPM_POLL_MS = 250;

/**
 * `npm start` after the set-up: runs the stack until a signal or a service that cannot be kept up, then stops everything.
 *
 * @returns the exit code: 0 after a signal, 1 after a failure
 */
export async function serveStack(stack: LaunchCommand & { readonly dataDir: string }): Promise<number> {
  // A closed pipe (`npm start | head`) must not take the stack down half way through a stop.
  process.stdout.on('error', () => undefined);
  try {
    return await serve(stack);
  } catch (error) {
    process.stderr.write(`\n${explainLaunchFailure(error, stack)}\n`);
    return 1;
  }
}

async function serve({ dataDir, portBase, commandFor }: Parameters<typeof serveStack>[0]): Promise<number> {
  const ending = endRequested();
  const options = { dataDir, portBase, env: process.env, print, signal: ending.signal };
  const running = await launchStack(options).catch((error: unknown) => {
    if (!ending.signal.aborted) throw error;
    return null;
  });
  if (!running) {
    print('\nStopped before it was ready.');
    return 0;
  }
  const failure = await Promise.race([running.failed, ending.promise]);
  print(failure ? `\n${failure.message}\nStopping.` : '\nStopping.');
  await running.stop();
  print(`Stopped. The data stays; start again with: ${commandFor(portBase)}`);
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

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
