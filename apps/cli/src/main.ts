import { CommanderError } from 'commander';
import type { Terminal } from './admin/operation-command.js';
import { CommandFailure, EXIT } from './exit-status.js';
import { createProgram } from './program.js';

/**
 * Runs a command line.
 *
 * @returns the exit status; what went wrong stands on stderr
 */
export async function main(argv: readonly string[], terminal: Terminal = process): Promise<number> {
  let status: number = EXIT.done;
  try {
    await createProgram(terminal, (own) => (status = own)).parseAsync(argv, { from: 'user' });
    return status;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    if (!(error instanceof CommandFailure)) throw error;
    terminal.stderr.write(`${error.message}\n`);
    return error.status;
  }
}
