/** Thrown inside the compiler of globs; callers of the library get it as a value. */
export class GlobSyntaxError extends Error {
  /** @param position zero-based code point index into the pattern */
  constructor(
    message: string,
    readonly position: number,
  ) {
    super(message);
    this.name = 'GlobSyntaxError';
  }
}
