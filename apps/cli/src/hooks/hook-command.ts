import type { Command } from 'commander';
import type { Terminal } from '../admin/operation-command.js';
import { CommandFailure } from '../exit-status.js';
import { guard } from '../loop/guard.js';
import { addTrailer } from './commit-trailer.js';
import { hookEvent } from './hook-event.js';
import { folderOf, readPayload } from './hook-payload.js';
import { sessionStart } from './session-start.js';

/** `perdure hook <event>`: what a client runs. An event that is not handled is silent; only a guard ever blocks. */
export function addHookCommand(program: Command, terminal: Terminal, ended: (status: number) => void): void {
  program
    .command('hook')
    .summary("what an agent's client runs at its events")
    .description(
      'Reads the payload of the client on stdin. Handled: session-start and pre-tool-use, also by the names that Claude Code, Codex, Gemini CLI and Cursor give them. Exit status: 0, or 2 when a tool call is blocked.',
    )
    .argument('<event>', 'such as session-start or SessionStart; prepare-commit-msg for git')
    .argument('[arguments...]', 'what git gives its hook: the file of the message, its source and a commit')
    .action(async (name: string, [file, source]: string[]) => {
      if (name === 'prepare-commit-msg') return withOneLine(terminal, () => trailer(file, source, terminal));
      const event = hookEvent(name);
      if (event === 'pre-tool-use') ended(await guard(terminal));
      if (event === 'session-start') await withOneLine(terminal, () => start(name, terminal));
    });
}

async function trailer(file: string | undefined, source: string | undefined, terminal: Terminal): Promise<void> {
  if (file === undefined) throw new Error('git gave no file; call it as: perdure hook prepare-commit-msg "$@"');
  await addTrailer(file, source, terminal.cwd(), terminal.env);
}

async function start(name: string, terminal: Terminal): Promise<void> {
  const payload = await readPayload(terminal.stdin);
  if (payload === null)
    throw new Error('the client gave no payload that can be read; check how the hook is configured');
  if (payload.event !== null && hookEvent(payload.event) !== hookEvent(name)) {
    throw new Error(`the hook of ${name} was run for another event; check how the hook is configured`);
  }
  await sessionStart(payload, folderOf(payload, terminal), terminal);
}

/** Whatever happens, a session starts: one line says the cause and the next step. */
async function withOneLine({ stderr }: Terminal, hook: () => Promise<void>): Promise<void> {
  try {
    await hook();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const next = error instanceof CommandFailure ? '' : ' (perdure doctor looks further)';
    stderr.write(`Perdure: ${message.replaceAll(/\s*\n\s*/g, ' ')}${next}\n`);
  }
}
