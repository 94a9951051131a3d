import type { Terminal } from '../admin/operation-command.js';
import { isJsonObject, type JsonObject } from '../json-object.js';

/** What is read of a client's payload; clients add fields, which are not looked at. */
export interface HookPayload {
  readonly client: string;
  /** As the client spells it; null when it does not say. */
  readonly event: string | null;
  /** Why a session started. */
  readonly source: string | null;
  /** The client's own id of its session; null when it has none that can be used. */
  readonly sessionId: string | null;
  readonly folder: string | null;
  readonly tool: string | null;
  /** The file that a tool would write. */
  readonly file: string | null;
}

/** Longest wait for a client that does not close its end, in milliseconds. */
const STDIN_MS = 1_000;
/** A heredoc in a command may be long; more than this is no payload. */
const MOST_BYTES = 64 * 1024 * 1024;

/** The payload on stdin. @returns null when none can be read: no object, not UTF-8, or not ended in time */
export async function readPayload(stdin: NodeJS.ReadableStream): Promise<HookPayload | null> {
  const bytes = await readAll(stdin);
  if (bytes === null) return null;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const values: unknown = JSON.parse(text);
    return isJsonObject(values) ? payloadOf(values) : null;
  } catch {
    return null;
  }
}

/** Where the client works: what it says, else what Claude Code sets for hooks, else this process's own folder. */
export const folderOf = (payload: HookPayload | null, { env, cwd }: Terminal): string =>
  payload?.folder ?? env['CLAUDE_PROJECT_DIR'] ?? cwd();

/** Claude Code, Codex and Gemini CLI say `session_id`, `cwd`, `tool_name`, `tool_input`; Cursor its own words. */
function payloadOf(values: JsonObject): HookPayload {
  const input = isJsonObject(values['tool_input']) ? values['tool_input'] : {};
  const [workspaceRoot] = Array.isArray(values['workspace_roots']) ? values['workspace_roots'] : [];
  return {
    client: clientOf(values),
    event: text(values['hook_event_name']),
    source: text(values['source']),
    sessionId: text(values['session_id']) ?? text(values['conversation_id']),
    folder: text(values['cwd']) ?? text(workspaceRoot),
    tool: text(values['tool_name']) ?? (typeof values['command'] === 'string' ? 'shell' : null),
    file: text(input['file_path']) ?? text(input['notebook_path']) ?? text(input['path']),
  };
}

/** By what each of them alone says; the others took over the payloads of Claude Code. */
function clientOf(values: JsonObject): string {
  if ('cursor_version' in values || 'conversation_id' in values) return 'cursor';
  const transcript = text(values['transcript_path']) ?? '';
  if (/[\\/]\.codex[\\/]/.test(transcript)) return 'codex';
  return /[\\/]\.gemini[\\/]/.test(transcript) ? 'gemini-cli' : 'claude-code';
}

function readAll(stdin: NodeJS.ReadableStream): Promise<Buffer | null> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const done = (answer: Buffer | null) => {
      clearTimeout(timer);
      stdin.removeAllListeners('data');
      stdin.pause();
      resolve(answer);
    };
    const timer = setTimeout(() => done(null), STDIN_MS);
    stdin.on('data', (chunk: Buffer | string) => {
      chunks.push(Buffer.from(chunk));
      bytes += chunk.length;
      if (bytes > MOST_BYTES) done(null);
    });
    stdin.on('end', () => done(Buffer.concat(chunks)));
    stdin.on('error', () => done(null));
  });
}

const text = (value: unknown): string | null => (typeof value === 'string' && value.trim() !== '' ? value : null);
