import { open, rename } from 'node:fs/promises';
import path from 'node:path';
import type { HeldLock } from './file-lock.js';
import { errnoOf, LoopFileError, nullWhen } from './refusals.js';
import { openForReading, remove } from './safe-open.js';

/** Our part of the file is some kilobytes at most; what is larger is not read, so that no hook drowns in it. */
const MAX_BYTES = 1024 * 1024;

type Unreadable = 'missing' | 'not_a_file' | 'too_large';

/** @throws errors of the file system, such as a lack of permission: what cannot be read must not be replaced either */
export async function readStateBytes(file: string): Promise<Uint8Array | Unreadable> {
  let handle;
  try {
    handle = await openForReading(file);
  } catch (error) {
    const code = errnoOf(error);
    if (code === 'ENOENT') return 'missing';
    // A symbolic link, and a socket.
    if (code === 'ELOOP' || code === 'ENXIO') return 'not_a_file';
    throw error;
  }
  try {
    if (!(await handle.stat()).isFile()) return 'not_a_file';
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(MAX_BYTES + 1), 0, MAX_BYTES + 1, 0);
    return bytesRead > MAX_BYTES ? 'too_large' : buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/**
 * Puts a new file in the place of the old one: a reader sees one or the other, whole, also after a power failure.
 *
 * @throws LoopFileError `busy` when the lock was lost meanwhile; errors of the file system
 */
export async function replaceStateFile(file: string, text: string, held: HeldLock): Promise<void> {
  try {
    const handle = await open(held.scratch, 'wx');
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (!(await held.isHeld())) throw new LoopFileError('busy', `The lock of ${file} was lost while it was written.`);
    await rename(held.scratch, file);
  } catch (error) {
    await remove(held.scratch);
    throw error;
  }
  await syncFolder(path.dirname(file));
}

/** The new name is durable once its folder is. Windows opens no folder, and some file systems sync none. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await nullWhen(['EISDIR', 'EPERM', 'EACCES'], open(folder, 'r'));
  if (handle === null) return;
  try {
    await nullWhen(['EINVAL', 'EPERM', 'ENOTSUP'], handle.sync());
  } finally {
    await handle.close();
  }
}
