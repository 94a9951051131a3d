import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { commandLineOf, isRunning } from '../process/identity.js';

/** What a running server writes into its data folder: https://www.postgresql.org/docs/18/storage-file-layout.html */
export interface Postmaster {
  pid: number;
  port: number;
  /** Accepts connections; false while it starts or recovers. */
  ready: boolean;
}

/** Reads `postmaster.pid`; null when there is none or it is cut short. Says nothing about whether that process lives. */
export function readPostmaster(dataDir: string): Postmaster | null {
  const lines = readLines(path.join(dataDir, 'postmaster.pid'));
  const [pid, port] = [Number(lines[0]), Number(lines[3])];
  if (!Number.isInteger(pid) || !Number.isInteger(port) || pid <= 0 || port <= 0) return null;
  return { pid, port, ready: lines[7]?.trim() === 'ready' };
}

/**
 * The server that still works on this folder, null when there is none. A pid file whose number now belongs to another
 * program is removed: Postgres itself would take that program for a running server and refuse to start. One whose
 * process is gone stays, Postgres deals with it.
 */
export function liveServer(dataDir: string): Postmaster | null {
  const found = readPostmaster(dataDir);
  if (!found || !isRunning(found.pid)) return null;
  const commandLine = commandLineOf(found.pid) ?? '';
  if (commandLine.includes('postgres') && commandLine.includes(dataDir)) return found;
  rmSync(path.join(dataDir, 'postmaster.pid'), { force: true });
  return null;
}

function readLines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch {
    return [];
  }
}
