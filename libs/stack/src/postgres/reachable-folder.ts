import { mkdirSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { accountCan, type Account } from './account.js';

/** Places for what the server's account cannot reach where it lies, best first. The last ones may be emptied at a reboot. */
function defaultCandidates(): string[] {
  const uid = process.getuid?.();
  if (uid === 0) return ['/var/lib/perdure', '/var/tmp/perdure', '/tmp/perdure'];
  return [path.join(os.homedir(), '.cache', 'perdure'), path.join(os.tmpdir(), `perdure-${uid ?? 'user'}`)];
}

/**
 * Makes and returns the first folder that we own alone and the account can enter. A folder somebody else could write to
 * is passed over: what lies there gets executed. Throws when none is left.
 */
export function reachableFolder(account: Account, candidates: readonly string[] = defaultCandidates()): string {
  const found = candidates.find((folder) => isOursAlone(folder) && canEnter(account, folder));
  if (found !== undefined) return found;
  throw new Error(
    `Postgres runs as uid ${account.uid ?? process.getuid?.()}, which can reach none of ${candidates.join(', ')}.`,
  );
}

/** Whether the account may pass through the folder to a path it knows. */
export function canEnter(account: Account, folder: string): boolean {
  return account.uid === undefined || accountCan(account, 'cd -- "$1"', folder);
}

function isOursAlone(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o755 });
    const { uid, mode } = statSync(folder);
    return process.platform === 'win32' || (uid === process.getuid?.() && (mode & 0o022) === 0);
  } catch {
    return false;
  }
}
