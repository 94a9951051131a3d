import { catalogue, type OperationContract } from '@perdure/contracts';
import { Command } from 'commander';
import { addOperation, type Terminal } from './admin/operation-command.js';
import { addHookCommand } from './hooks/hook-command.js';
import { addLoopCommands } from './loop/loop-commands.js';
import { showWhy } from './why/why.js';
import { addUsageCommands } from './usage/usage-commands.js';

const STATUSES = `
Exit status: 0 done; 1 the server refused; 2 wrong usage; 3 not signed in or not allowed; 4 not reached, try again.
Environment: PERDURE_URL, where the api is; PERDURE_TOKEN, the credential; PERDURE_MEASURER_TOKEN, that of the test step.`;

/**
 * The whole command line. It throws commander's errors and CommandFailure instead of ending the process; `ended` is told
 * the status of a command that ends with another program's.
 */
export function createProgram(terminal: Terminal, ended: (status: number) => void): Command {
  const program = new Command('perdure')
    .description('The command line of Perdure.')
    .addHelpText('after', STATUSES)
    .configureOutput({
      writeOut: (text) => void terminal.stdout.write(text),
      writeErr: (text) => void terminal.stderr.write(text),
    })
    .exitOverride();
  const admin = program
    .command('admin')
    .description('Workspaces, quotas, members and credentials: the operations of the platform and access areas.')
    .addHelpText('after', STATUSES);
  const operations: OperationContract[] = [...Object.values(catalogue.platform), ...Object.values(catalogue.access)];
  for (const contract of operations) addOperation(admin, contract, terminal);
  addLoopCommands(program, terminal, ended);
  addHookCommand(program, terminal, ended);
  program
    .command('why')
    .description(
      'From a line of a file to its commit, the build session that made it, and the decisions of that session.',
    )
    .argument('<path[:line]>')
    .option('--json', 'print them as JSON')
    .action((argument: string, options: { json?: boolean }) => showWhy(argument, options, terminal));
  addUsageCommands(program, terminal);
  return program;
}
