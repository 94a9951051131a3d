import { isRunning } from './identity.js';
import { waitUntil } from './wait-until.js';

/** A signal and how long to wait for its effect before the next one, in milliseconds. */
export type EndStep = readonly [signal: NodeJS.Signals, waitMs: number];

/** For a process that shuts down by itself: 5 s for requests in flight, then no more. */
const GRACEFUL: readonly EndStep[] = [
  ['SIGTERM', 5000],
  ['SIGKILL', 2000],
];

/** Sends one signal after the other until the process is gone. Returns false when it outlived them all. */
export async function endProcess(pid: number, steps: readonly EndStep[] = GRACEFUL): Promise<boolean> {
  for (const [signal, waitMs] of steps) {
    if (!isRunning(pid)) return true;
    signalProcess(pid, signal);
    if (await waitUntil(() => !isRunning(pid), { deadlineMs: waitMs })) return true;
  }
  return !isRunning(pid);
}

function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Gone in between, or not ours: the poll that follows tells which.
  }
}
