import { accessSync, constants } from 'node:fs';
import path from 'node:path';

/** The first of these programs that a shell would find, folder by folder; null when there is none on the path. */
export function findProgram(names: readonly string[], searchPath: string = process.env['PATH'] ?? ''): string | null {
  const folders = searchPath.split(path.delimiter).filter((folder) => folder !== '');
  return folders.flatMap((folder) => names.map((name) => path.join(folder, name))).find(isExecutable) ?? null;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
