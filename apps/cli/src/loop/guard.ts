import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { DomainError } from '@perdure/contracts';
import { LOOP_FILE, LoopFileError, openLoopFile, type CountedCall } from '@perdure/loop-file';
import type { Terminal } from '../admin/operation-command.js';
import { readSettings } from '../place/settings.js';
import { CommandFailure } from '../exit-status.js';
import { folderOf, readPayload, type HookPayload } from '../hooks/hook-payload.js';

/** What clients take for "do not run it", with the reason on stderr (Claude Code, Codex, Gemini CLI and Cursor alike). */
const BLOCK = 2;
const ALLOW = 0;

/** Tools that run a command line, by the names of the clients. */
const SHELL_TOOLS = new Set(['Bash', 'Shell', 'shell', 'local_shell', 'exec_command', 'run_shell_command']);

/**
 * L5: the hook before a tool call. Counts shell calls of a loop in the local file and blocks at the cap or without
 * progress; denies an edit of the file itself. It waits for no network, and what it cannot read it does not let pass.
 *
 * @returns 0 or 2, the reason on stderr
 */
export async function guard(terminal: Terminal): Promise<number> {
  const payload = await readPayload(terminal.stdin);
  const folder = folderOf(payload, terminal);
  const root = loopRoot(folder);
  if (root === null) return ALLOW;
  const reason = await reasonToBlock(payload, root, folder, terminal);
  if (reason === null) return ALLOW;
  terminal.stderr.write(`${reason}\n`);
  return BLOCK;
}

async function reasonToBlock(
  payload: HookPayload | null,
  root: string,
  folder: string,
  { env, stderr }: Terminal,
): Promise<string | null> {
  if (payload === null) return 'Blocked: the hook was given no payload, so no session can be counted. Start it again.';
  if (isLoopFile(payload.file, root, folder)) {
    return `Blocked: only the test step (perdure loop measure) and this guard write ${LOOP_FILE}.`;
  }
  if (payload.tool === null || !SHELL_TOOLS.has(payload.tool)) return null;
  if (payload.sessionId === null)
    return 'Blocked: the client gave no session id, so its shell calls cannot be counted.';
  try {
    const { loop } = await readSettings(folder, env);
    const counted = await openLoopFile(root, { limits: loop }).countCall({ session_id: payload.sessionId });
    const warnings = counted.warnings.filter(({ code }) => code !== 'missing').map(({ message }) => message);
    if (warnings.length > 0 && counted.allowed) stderr.write(`${warnings.join('; ')}\n`);
    return counted.allowed ? null : reasonOf(counted);
  } catch (error) {
    const isKnown = error instanceof DomainError || error instanceof LoopFileError || error instanceof CommandFailure;
    if (!isKnown) throw error;
    return `Blocked: the loop guard cannot count. ${error.message}`;
  }
}

function reasonOf({ blocked_by, bash_calls, cap, unchanged, no_progress_limit }: CountedCall): string {
  if (blocked_by === 'no_progress') {
    return `Blocked: no progress. The tests failed in the same way on the same files ${unchanged} times in a row, the limit is ${no_progress_limit} (${bash_calls} of ${cap} shell calls made). Say what you tried and stop; a person runs: perdure loop reset --reason …`;
  }
  return `Blocked: this session has made ${bash_calls} of ${cap} shell calls. Leave a lead and end it; a new session begins a new count, and a person may raise the cap.`;
}

/** The nearest folder upward with a `.loop`, within the repository. */
function loopRoot(folder: string): string | null {
  for (let at = path.resolve(folder); ; at = path.dirname(at)) {
    if (existsSync(path.join(at, path.dirname(LOOP_FILE)))) return at;
    if (existsSync(path.join(at, '.git')) || at === path.dirname(at)) return null;
  }
}

/** Also by a relative path, or through a link to a folder above it. */
function isLoopFile(file: string | null, root: string, folder: string): boolean {
  if (file === null) return false;
  const named = path.resolve(folder, file);
  const target = path.join(root, LOOP_FILE);
  return (
    named === target || (path.basename(named) === path.basename(target) && realFolder(named) === realFolder(target))
  );
}

function realFolder(file: string): string {
  try {
    return realpathSync(path.dirname(file));
  } catch {
    return path.dirname(file);
  }
}
