import path from 'node:path';
import type { ClientName } from '../clients/transcript-client.js';

export interface PathIdentity {
  readonly id: string;
  readonly parentId: string | null;
}

const UUID_AT_END = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** What the path of a file says of its transcript; null for files of the client that hold none. */
export function identityOfPath(client: ClientName, file: string): PathIdentity | null {
  return IDENTITIES[client](file.split(path.sep).join('/'));
}

const IDENTITIES: Readonly<Record<ClientName, (file: string) => PathIdentity | null>> = {
  'claude-code': ofClaudeCode,
  codex: (file) => ofName(file, '.jsonl', (stem) => UUID_AT_END.exec(stem)?.[0] ?? stem),
  'gemini-cli': ofGemini,
  opencode: ofOpencode,
  'copilot-cli': (file) =>
    file.endsWith('/events.jsonl')
      ? { id: path.posix.basename(path.posix.dirname(file)), parentId: null }
      : ofName(file, '.jsonl', (stem) => stem),
};

function ofName(file: string, ending: string, idOf: (stem: string) => string): PathIdentity | null {
  return file.endsWith(ending) ? { id: idOf(path.posix.basename(file, ending)), parentId: null } : null;
}

/** `<session>.jsonl`; of a sub-agent `<session>/subagents/agent-<id>.jsonl`, in a workflow one folder deeper. */
function ofClaudeCode(file: string): PathIdentity | null {
  const [, parentId, inside] = /([^/]+)\/subagents\/(.+)\.jsonl$/.exec(file) ?? [];
  if (parentId === undefined || inside === undefined) return ofName(file, '.jsonl', (stem) => stem);
  return { id: `${parentId}/${inside}`, parentId };
}

/** `chats/session-….json` or `.jsonl`; of a sub-agent `chats/<parent>/<id>.jsonl`. */
function ofGemini(file: string): PathIdentity | null {
  const stem = path.posix.basename(file).replace(/\.jsonl?$/, '');
  if (!/\.jsonl?$/.test(file) || stem === 'logs') return null;
  const parentId = /\/chats\/([^/]+)\/[^/]+$/.exec(file)?.[1] ?? null;
  return { id: parentId === null ? stem : `${parentId}/${stem}`, parentId };
}

/** A message or a session each in a file, or messages exported line by line. Parts of messages say nothing of usage. */
function ofOpencode(file: string): PathIdentity | null {
  const isRecord = /\/(?:message|session)\/.*\.json$/.test(file);
  return isRecord || file.endsWith('.jsonl') ? { id: path.posix.basename(file), parentId: null } : null;
}
