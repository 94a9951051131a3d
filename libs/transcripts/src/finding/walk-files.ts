import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';

export interface FoundFile {
  /** Without symbolic links: one file has one path. */
  readonly path: string;
  readonly bytes: number;
}

/**
 * Every file under a path once, in the order of their names. Links are followed; one that leads nowhere, and a folder
 * that may not be read, is passed over and stops nothing.
 *
 * @param seen real paths met before, of other roots too; grows
 */
export async function* walkFiles(root: string, seen: Set<string>): AsyncGenerator<FoundFile> {
  const real = await orNull(realpath(root));
  if (real === null || seen.has(real)) return;
  seen.add(real);
  const status = await orNull(stat(real));
  if (status?.isFile()) yield { path: real, bytes: status.size };
  if (!status?.isDirectory()) return;
  const entries: Dirent[] = (await orNull(readdir(real, { withFileTypes: true }))) ?? [];
  for (const { name } of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    yield* walkFiles(path.join(real, name), seen);
  }
}

async function orNull<Value>(promise: Promise<Value>): Promise<Value | null> {
  try {
    return await promise;
  } catch {
    return null;
  }
}
