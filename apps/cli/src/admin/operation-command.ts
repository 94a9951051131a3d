import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { OperationContract } from '@perdure/contracts';
import type { Command } from 'commander';
import { CommandFailure, EXIT } from '../exit-status.js';
import { callOperation, type Answer, type Arguments } from '../rest/call-operation.js';
import { serverAddress, type Environment } from '../rest/server-address.js';
import { argumentOf, optionsFor } from './argument-options.js';
import { render } from './render.js';

/** Where a command reads and writes. */
export interface Terminal {
  readonly env: Environment;
  readonly stdout: NodeJS.WritableStream & { readonly isTTY?: boolean };
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean };
  readonly stdin: NodeJS.ReadableStream;
  readonly cwd: () => string;
}

/** Adds the verb of an operation: `list_workspaces` is `list-workspaces`, its arguments are options. */
export function addOperation(group: Command, contract: OperationContract, terminal: Terminal): void {
  const command = group
    .command(contract.name.replaceAll('_', '-'))
    .summary(contract.title)
    .description(`${contract.summary}\n\nNeeds the scope ${contract.scope}.`);
  const options = optionsFor(contract);
  for (const { option } of options) command.addOption(option);
  command.option('--json', 'print the answer as JSON');
  if (contract.kind === 'mutation')
    command.option('--idempotency-key <key>', 'the same key again gives the first answer');
  if (contract.route.download !== undefined)
    command.option('--output <file>', 'where the file goes; default: its own name');
  command.action(async () => {
    const given: Readonly<Record<string, unknown>> = command.opts();
    const values = options.map(({ name, option }) => [name, argumentOf(given[option.attributeName()])] as const);
    const input: Arguments = Object.fromEntries(values.filter(([, value]) => value !== undefined));
    const key = given['idempotencyKey'];
    const idempotencyKey = typeof key === 'string' ? key : undefined;
    const answer = await callOperation(serverAddress(terminal.env), { contract, input, idempotencyKey });
    await show(answer, given, terminal);
  });
}

async function show({ output, file, replayed }: Answer, options: Arguments, terminal: Terminal): Promise<void> {
  if (replayed) terminal.stderr.write('This is the answer to an earlier call with the same key.\n');
  if (file !== null) return save(file, typeof options['output'] === 'string' ? options['output'] : file.name, terminal);
  const text = options['json'] === true ? JSON.stringify(output, null, 2) : render(output ?? {});
  terminal.stdout.write(`${text}\n`);
}

async function save(file: NonNullable<Answer['file']>, target: string, terminal: Terminal): Promise<void> {
  try {
    // `wx`: an export that is there already is not overwritten.
    await pipeline(Readable.fromWeb(file.bytes), createWriteStream(target, { flags: 'wx', mode: 0o600 }));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandFailure(EXIT.refused, `${target} was not written whole: ${reason}`);
  }
  terminal.stderr.write(`Written to ${target}.\n`);
}
