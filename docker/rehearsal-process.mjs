// Programs as a container would run them: no variable of ours, no rights of ours.
import { spawn } from 'node:child_process';

const NOBODY = 65534;

/** Whose rights the programs get: nobody's when we are root, else our own. */
export const unprivileged = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : { uid: process.getuid?.() ?? 0 };

/** What it is killed after when it does not end by itself: compose's `stop_grace_period`. */
const GRACE_MS = 45_000;

/**
 * @param {{cwd: string, env: Record<string, string>, asRoot?: boolean}} options `asRoot`: with our own rights
 * @returns a handle on the running program; `code()` is null while it runs
 */
export function startProgram(program, argv, { cwd, env, asRoot = false }) {
  const account = asRoot || unprivileged.gid === undefined ? {} : unprivileged;
  const child = spawn(program, argv, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], ...account });
  let text = '';
  let code = null;
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk));
  const ended = new Promise((resolve) => {
    child.once('error', (error) => {
      text += error.message;
      resolve((code = 127));
    });
    child.once('close', (status, signal) => resolve((code = status ?? signal)));
  });
  return {
    output: () => text,
    code: () => code,
    ended,
    /** Resolves with the exit code, or the name of the signal that ended it. */
    stop: async (signal) => {
      if (code !== null) return code;
      child.kill(signal);
      const last = setTimeout(() => child.kill('SIGKILL'), GRACE_MS);
      await ended;
      clearTimeout(last);
      return code;
    },
  };
}

/** Runs a program to its end. */
export async function runProgram(program, argv, options) {
  const running = startProgram(program, argv, options);
  const code = await running.ended;
  return { code, output: running.output() };
}
