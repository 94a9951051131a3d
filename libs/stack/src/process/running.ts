import type { ChildProcess } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { isRunning } from './identity.js';

/** A server process this package started or adopted. */
export interface RunningProcess {
  pid: number;
  /** Resolves when the process is gone, for whatever reason. Never rejects. */
  exited: Promise<void>;
  stop(): Promise<void>;
}

const ADOPTED_POLL_MS = 250;

/** Of a child the kernel tells the end; an adopted process can only be asked after. Neither keeps this process alive. */
export function exitOf(pid: number, child?: ChildProcess): Promise<void> {
  if (child) return new Promise((resolve) => child.once('exit', () => resolve()));
  return pollExit(pid);
}

async function pollExit(pid: number): Promise<void> {
  while (isRunning(pid)) await pause(ADOPTED_POLL_MS, undefined, { ref: false });
}
