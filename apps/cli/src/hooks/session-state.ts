import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** What a hook remembers of a client's session, for the hooks that come after it in the same session (C2). */
export interface SessionState {
  readonly build_session_id: string;
  readonly project: string;
  readonly client: string;
}

/** The id names a file: a plain name, or nothing is written. */
const PLAIN_NAME = /^(?!\.)[A-Za-z0-9._-]{1,200}$/;

export const isPlainName = (sessionId: string): boolean => PLAIN_NAME.test(sessionId);

/** Keeps it in `.perdure/sessions/<client session id>.json`, which git ignores by a file in the folder itself. */
export async function writeSessionState(root: string, sessionId: string, state: SessionState): Promise<void> {
  const folder = path.join(root, '.perdure', 'sessions');
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(root, '.perdure', '.gitignore'), '*\n', { flag: 'wx' }).catch(() => undefined);
  const file = path.join(folder, `${sessionId}.json`);
  await writeFile(`${file}.${process.pid}`, `${JSON.stringify(state)}\n`);
  await rename(`${file}.${process.pid}`, file);
}

/** Build sessions of a checkout by client session id. A file that is none says nothing. */
export async function readSessionStates(root: string): Promise<Map<string, string>> {
  const folder = path.join(root, '.perdure', 'sessions');
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.json'));
  const states = await Promise.all(names.map((name) => buildSessionIn(path.join(folder, name))));
  const known = names.map((name, index) => [path.basename(name, '.json'), states[index] ?? null] as const);
  return new Map(known.flatMap(([id, session]) => (session === null ? [] : [[id, session] as const])));
}

async function buildSessionIn(file: string): Promise<string | null> {
  try {
    const state: Partial<SessionState> = JSON.parse(await readFile(file, 'utf8'));
    return typeof state.build_session_id === 'string' ? state.build_session_id : null;
  } catch {
    return null;
  }
}
