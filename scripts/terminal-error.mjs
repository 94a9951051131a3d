/** A failure that is no fault of the program: its message is for a terminal, says what to do, and needs no stack. */
export class TerminalError extends Error {
  constructor(message, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Prints a TerminalError as it is and anything else with its stack, and returns the exit code. */
export function reportFailure(error) {
  const expected = error instanceof TerminalError;
  console.error(expected ? `\n${error.message}` : error);
  return expected ? error.exitCode : 1;
}
