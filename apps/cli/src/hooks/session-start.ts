import { catalogue } from '@perdure/contracts';
import { computerName } from '@perdure/workplace';
import type { Terminal } from '../admin/operation-command.js';
import { CommandFailure, EXIT } from '../exit-status.js';
import { callWithin, openPlace, projectOf, serverOf, type Place } from '../place/place.js';
import type { ServerAddress } from '../rest/server-address.js';
import { driftSignals } from './drift-signals.js';
import type { HookPayload } from './hook-payload.js';
import { isPlainName, writeSessionState } from './session-state.js';

/** Of the two seconds that a start may take, what is left when Node and git have begun. */
const SERVER_MS = 1_300;
const SIGNALS_MS = 900;
const SOURCES = ['startup', 'resume', 'clear', 'compact'];

const PROTOCOL =
  'Ask query_applicable_rules before a change, prepend a lead as you go, append decisions as they are made, record pull requests when opened, and end the session with its history entry.';

/**
 * C2: starts or resumes the build session of this checkout and gives the client the brief, the same whether the client
 * started, resumed, cleared or compacted.
 *
 * @throws CommandFailure whose message is the one line for stderr; a start is never blocked
 */
export async function sessionStart(payload: HookPayload, folder: string, terminal: Terminal): Promise<void> {
  if (payload.sessionId !== null && !isPlainName(payload.sessionId)) {
    throw new CommandFailure(EXIT.usage, "The client's session id is no plain name, so nothing is kept under it.");
  }
  const place = await openPlace(folder, terminal.env);
  const server = serverOf(place.settings, place.settings.token);
  if (server === null) {
    throw new CommandFailure(
      EXIT.usage,
      'No server is configured. Set PERDURE_URL and PERDURE_TOKEN, or run: perdure connect',
    );
  }
  const until = performance.now() + SERVER_MS;
  const left = () => Math.max(1, Math.floor(until - performance.now()));
  const signals = driftSignals(place.workplace, SIGNALS_MS);
  const project = await projectOf(place, server, left());
  const sessionId = await startSession({ place, server, project, payload }, computer(terminal), left());
  const brief = catalogue.sessions.resumeBrief;
  const input = { project, computer: computer(terminal), branch: place.workplace.branch };
  const { brief_markdown } = brief.output.parse(await callWithin(left(), server, brief, input));
  if (payload.sessionId !== null) {
    const state = { build_session_id: sessionId, project, client: payload.client };
    await writeSessionState(place.workplace.root, payload.sessionId, state);
  }
  const drift = (await signals).map((signal) => `- ${signal}`);
  const pack = [brief_markdown, '', `Your build session: ${sessionId}. ${PROTOCOL}`, ...drift].join('\n');
  terminal.stdout.write(`${JSON.stringify(answerFor(payload, pack))}\n`);
}

interface Start {
  readonly place: Place;
  readonly server: ServerAddress;
  readonly project: string;
  readonly payload: HookPayload;
}

/** @returns the id of the session that is active in this checkout now */
async function startSession(
  { place, server, project, payload }: Start,
  computerOfCheckout: string,
  timeoutMs: number,
): Promise<string> {
  const contract = catalogue.sessions.startBuildSession;
  const { branch, worktree } = place.workplace;
  const started = await callWithin(timeoutMs, server, contract, {
    project,
    computer: computerOfCheckout,
    branch,
    client_name: payload.client,
    ...(worktree !== null && { worktree }),
    ...(payload.source !== null && SOURCES.includes(payload.source) && { source: payload.source }),
  });
  return contract.output.parse(started).build_session.id;
}

const computer = ({ env }: Terminal): string => env['PERDURE_COMPUTER'] || computerName();

/** Cursor has a form of its own; the others took over that of Claude Code. */
const answerFor = ({ client }: HookPayload, additionalContext: string): object =>
  client === 'cursor'
    ? { additional_context: additionalContext }
    : { hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext } };
