import { constants } from 'node:fs';
import { open, unlink, type FileHandle } from 'node:fs/promises';
import { nullWhen } from './refusals.js';

/** Neither follow a link out of the checkout nor wait for the writer of a pipe. Windows knows neither flag. */
const READ_ONLY = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Reads what stands under exactly this name, whoever put it there. @throws as `open` does; `ELOOP` for a symbolic link */
export const openForReading = (file: string): Promise<FileHandle> => open(file, READ_ONLY);

/** Removes a file that another process may have removed already. */
export async function remove(file: string): Promise<void> {
  await nullWhen(['ENOENT'], unlink(file));
}
