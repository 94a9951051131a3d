import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { endProcess, type EndStep } from './end-process.js';
import { identityOf } from './identity.js';
import { isRecord, readJson, writePrivateJson } from '../private-file.js';

/** They have lost their launcher and perhaps their database: not worth waiting long for. */
const END: readonly EndStep[] = [
  ['SIGTERM', 3000],
  ['SIGKILL', 2000],
];

/** Notes that `pid` belongs to this stack. Replaces an earlier note of the same name. */
export function noteProcess(runFolder: string, name: string, pid: number): void {
  mkdirSync(runFolder, { recursive: true, mode: 0o700 });
  writePrivateJson(noteFile(runFolder, name), { name, pid, identity: identityOf(pid) });
}

export function forgetProcess(runFolder: string, name: string): void {
  rmSync(noteFile(runFolder, name), { force: true });
}

/**
 * Ends the noted processes that still run, and returns their names. A number that has since been given to another
 * process (its start time differs) is left alone.
 */
export async function endLeftovers(runFolder: string): Promise<string[]> {
  const notes = readdirSync(runFolder).filter((file) => file.endsWith('.json'));
  const ended = await Promise.all(notes.map((file) => endNoted(path.join(runFolder, file))));
  return ended.filter((name) => name !== null);
}

async function endNoted(file: string): Promise<string | null> {
  const note = readJson(file);
  rmSync(file, { force: true });
  if (!isRecord(note) || typeof note.pid !== 'number' || typeof note.identity !== 'string') return null;
  if (identityOf(note.pid) !== note.identity) return null;
  if (await endProcess(note.pid, END)) return String(note.name);
  throw new Error(`A process of an earlier start (${String(note.name)}, pid ${note.pid}) cannot be ended.`);
}

function noteFile(runFolder: string, name: string): string {
  return path.join(runFolder, `${name}.json`);
}
