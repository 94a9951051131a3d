import { spawn } from 'node:child_process';
import { closeSync, existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { REPOSITORY_ROOT } from '../repository-root.js';
import { endProcess } from './end-process.js';
import { lastLines, openLog } from './log-file.js';
import { exitOf, type RunningProcess } from './running.js';

export interface ApplicationStart {
  name: string;
  /** Built JavaScript file. */
  script: string;
  env: NodeJS.ProcessEnv;
  /** Gets stdout and stderr. */
  logFile: string;
  /** Answers 200 once the application serves. */
  readyUrl: string;
  /** Default 60 s. */
  readyMs?: number;
  /** Ends the wait; the process is ended too. */
  signal?: AbortSignal;
  /** Called as soon as the process exists, long before it serves. */
  onSpawned?: (pid: number) => void;
}

/** The application died or did not become ready; the message ends with its last 20 log lines. */
export class ApplicationStartError extends Error {
  constructor(name: string, what: string, logFile: string) {
    super(`${name} ${what}. Its log (${logFile}) ends with:\n${lastLines(logFile)}`);
    this.name = 'ApplicationStartError';
  }
}

/** Starts a Node program of this repository and waits until its readiness address answers 200. */
export async function startApplication(start: ApplicationStart): Promise<RunningProcess> {
  if (!existsSync(start.script)) throw new Error(`${start.name} is not built (${start.script}). Run: npm run build`);
  const log = openLog(start.logFile);
  const child = spawn(process.execPath, [start.script], {
    cwd: REPOSITORY_ROOT,
    env: start.env,
    stdio: ['ignore', log, log],
    // A session of its own: Ctrl-C in the terminal goes to the launcher, which stops its processes in order.
    detached: true,
    windowsHide: true,
  });
  closeSync(log);
  const pid = child.pid;
  if (pid === undefined) throw new ApplicationStartError(start.name, 'could not be started', start.logFile);
  start.onSpawned?.(pid);
  let ended = false;
  const exited = exitOf(pid, child).then(() => void (ended = true));
  const trouble = await waitForReady(start, () => ended);
  if (trouble !== null) {
    await endProcess(pid);
    throw new ApplicationStartError(start.name, trouble, start.logFile);
  }
  child.unref();
  return { pid, exited, stop: async () => void (await endProcess(pid)) };
}

/** Null when it serves, else what went wrong. */
async function waitForReady(start: ApplicationStart, hasEnded: () => boolean): Promise<string | null> {
  const { readyMs = 60_000 } = start;
  const deadline = Date.now() + readyMs;
  while (Date.now() < deadline) {
    if (hasEnded()) return 'stopped before it was ready';
    if (start.signal?.aborted) return 'was stopped while it started';
    if (await answersOk(start.readyUrl)) return null;
    await pause(50);
  }
  return `was not ready after ${readyMs / 1000} s`;
}

async function answersOk(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2000) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
