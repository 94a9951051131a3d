import { catalogue, type BuildSessionObject, type DecisionObject } from '@perdure/contracts';
import type { Terminal } from '../admin/operation-command.js';
import { CommandFailure, EXIT } from '../exit-status.js';
import { callWithin, openPlace, serverOf } from '../place/place.js';
import type { ServerAddress } from '../rest/server-address.js';
import { blame, placeOf, type BlamedCommit } from './blame.js';

const SERVER_MS = 10_000;

type Listed = Omit<DecisionObject, 'rationale_markdown'>;

interface Reason {
  readonly commit: BlamedCommit;
  /** Null for a commit without the trailer, and for a session that the server does not have. */
  readonly build_session: BuildSessionObject | null;
  /** Of that session, superseded ones too. */
  readonly decisions: readonly Listed[];
}

/** C3: from a line to its commit, the session that made it and the decisions of that session. */
export async function showWhy(argument: string, { json }: { json?: boolean }, terminal: Terminal): Promise<void> {
  const folder = terminal.cwd();
  const { file, line } = placeOf(argument);
  const { settings } = await openPlace(folder, terminal.env);
  const commit = await blame(folder, file, line);
  const server = serverOf(settings, settings.token);
  if (server === null) terminal.stderr.write('No server is configured: only the commit can be told.\n');
  const reason = await reasonOf(commit, server);
  terminal.stdout.write(json ? `${JSON.stringify(reason)}\n` : `${printed(reason)}\n`);
}

async function reasonOf(commit: BlamedCommit, server: ServerAddress | null): Promise<Reason> {
  const nothing = { commit, build_session: null, decisions: [] };
  if (server === null || commit.build_session_id === null) return nothing;
  const session = catalogue.sessions.getBuildSession;
  const list = catalogue.decisions.listDecisionLog;
  try {
    const input = { build_session_id: commit.build_session_id };
    const { build_session } = session.output.parse(await callWithin(SERVER_MS, server, session, input));
    const asked = { ...input, include_superseded: true, limit: 200 };
    const { items } = list.output.parse(await callWithin(SERVER_MS, server, list, asked));
    return { commit, build_session, decisions: items };
  } catch (error) {
    // A trailer of another installation, or one that somebody typed.
    if (error instanceof CommandFailure && error.status === EXIT.refused) return nothing;
    throw error;
  }
}

function printed({ commit, build_session: session, decisions }: Reason): string {
  const lines = [
    `commit   ${commit.sha.slice(0, 12)}  ${commit.subject}`,
    `         ${commit.author}, ${commit.committed_at}`,
  ];
  if (session === null) {
    const why =
      commit.build_session_id === null ? 'the commit names none' : `${commit.build_session_id} is not known here`;
    return [...lines, `session  ${why}`].map(visible).join('\n');
  }
  lines.push(`session  ${session.id}  ${session.actor.name} on ${session.computer}, ${session.branch}`);
  if (session.intent !== null) lines.push(`         ${session.intent}`);
  for (const { url } of session.prs) lines.push(`pull     ${url}`);
  for (const { id, title, superseded_by_decision_id: by } of decisions) {
    lines.push(`decision ${id}  ${title}${by === null ? '' : `  (superseded by ${by})`}`);
  }
  return lines.map(visible).join('\n');
}

/** Stored text is data: characters that could steer a terminal are left out. */
const visible = (line: string): string => line.replaceAll(/[\p{Cc}\p{Cf}]/gu, '');
