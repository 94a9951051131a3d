import { DomainError } from '@perdure/contracts';

/** A refusal in the shape that the server gives the same one, so that whoever prints it needs no second form. */
export const invalidInput = (path: string, message: string): DomainError =>
  new DomainError('invalid_input', `Invalid input. ${path}: ${message}`, { fields: [{ path, message }] });

/** The state cannot be read or written: `busy` when others held the lock for too long, else `unusable`. */
export class LoopFileError extends Error {
  override readonly name = 'LoopFileError';

  constructor(
    readonly code: 'busy' | 'unusable',
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** A failure of the file system as ours; anything else as it is. */
export function asLoopFileError(error: unknown): unknown {
  if (errnoOf(error) === undefined) return error;
  return new LoopFileError('unusable', `The loop state cannot be used: ${String(error)}`, { cause: error });
}

/** `ENOENT` and the like; undefined for what the file system did not throw. */
export const errnoOf = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null && 'syscall' in error && 'code' in error ? String(error.code) : undefined;

/** Waits for a step of the file system and turns a failure that was expected into null. */
export async function nullWhen<Answer>(expected: readonly string[], step: Promise<Answer>): Promise<Answer | null> {
  try {
    return await step;
  } catch (error) {
    if (expected.includes(errnoOf(error) ?? '')) return null;
    throw error;
  }
}
