import { accessSync, constants } from 'node:fs';
import path from 'node:path';

/** The `redis-server` a shell would run, or null when there is none on PATH. */
export function findRedisServer(searchPath: string = process.env.PATH ?? ''): string | null {
  const name = process.platform === 'win32' ? 'redis-server.exe' : 'redis-server';
  const candidates = searchPath
    .split(path.delimiter)
    .filter(Boolean)
    .map((folder) => path.join(folder, name));
  return candidates.find(isExecutable) ?? null;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
