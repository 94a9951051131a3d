import { InvalidArgumentError, type Command } from 'commander';
import type { Terminal } from '../admin/operation-command.js';
import { EXIT } from '../exit-status.js';
import { guard } from './guard.js';
import type { MeasureOptions } from './measure.js';
import { resetLoop, showStatus } from './status-and-reset.js';

/** `perdure loop …`; `ended` takes the status of a command whose own status is not whether it succeeded. */
export function addLoopCommands(program: Command, terminal: Terminal, ended: (status: number) => void): void {
  const loop = program.command('loop').description('The state of a loop that runs by itself (.loop/state.json).');
  loop
    .command('measure')
    .summary('run the tests and record what they say')
    .description(
      `Runs the tests, and writes which fails first and a hash of the files to .loop/state.json and the server. Exit status: that of the tests, or ${EXIT.noProgress} when there is no progress.`,
    )
    .argument('[command...]', 'the tests, after --')
    .option('--signature-of <file>', 'of a saved output; runs and writes nothing')
    .option('--exit-status <number>', 'the status that the saved output ended with', statusOf)
    .option('--json', 'print the measurement as JSON; what the tests print goes to stderr')
    .action(async (command: string[], options: MeasureOptions) => {
      // Its parsers are a tenth of what a command takes to start, and the guard runs before every tool call.
      const { measure, showSignatureOf } = await import('./measure.js');
      if (options.signatureOf !== undefined) return showSignatureOf(options.signatureOf, options, terminal);
      ended(await measure(command, options, terminal.cwd(), terminal));
    });
  loop
    .command('guard')
    .summary("the hook before a tool call of an agent's client")
    .description(
      'Reads the hook payload of the client on stdin. Exit status: 0, or 2 when the call is blocked, with the reason on stderr.',
    )
    .action(async () => ended(await guard(terminal)));
  loop
    .command('status')
    .description('Both halves, of the file and of the server.')
    .option('--json', 'print them as JSON')
    .action((options: { json?: boolean }) => showStatus(options, terminal.cwd(), terminal));
  loop
    .command('reset')
    .description("Forgets what was measured. A person's decision: the server audits its reason.")
    .requiredOption('--reason <text>', 'why')
    .option('--json', 'print the work half as JSON')
    .action(({ reason, ...options }: { reason: string; json?: boolean }) =>
      resetLoop(reason, options, terminal.cwd(), terminal),
    );
}

function statusOf(text: string): number {
  if (/^\d{1,3}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Give a whole number from 0 to 255.');
}
