import { readFile, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { readWorkplace } from '@perdure/workplace';
import { git } from '../git.js';
import type { Environment } from '../rest/server-address.js';

export const TRAILER = 'Build-Session';

/** Sources of a message that git made: a merge, or commits squashed together, are nobody's work of this session (githooks(5)). */
const MADE_BY_GIT = new Set(['merge', 'squash']);
/** A session that no hook touched for this long is not the one that commits. */
const STALE_MS = 24 * 60 * 60 * 1000;

/**
 * C3: adds `Build-Session: <id>` to a commit message that git is about to show or use (githooks(5), prepare-commit-msg). A
 * message that has the trailer keeps it, so an amended commit stays with the session that made it.
 *
 * @param source as git gives it: message, template, merge, squash, commit or nothing
 * @returns whether it was added
 */
export async function addTrailer(
  file: string,
  source: string | undefined,
  folder: string,
  env: Environment,
): Promise<boolean> {
  // `commit`: amended, or taken over with -c or -C; whoever wrote it first is in it, or nobody is.
  if (source !== undefined && (MADE_BY_GIT.has(source) || source === 'commit')) return false;
  const root = (await readWorkplace(folder))?.root;
  if (root === undefined) return false;
  const sessionId = await sessionOf(path.join(root, '.perdure', 'sessions'), env['CLAUDE_CODE_SESSION_ID']);
  if (sessionId === null) return false;
  const message = path.resolve(folder, file);
  if (new RegExp(`^${TRAILER}: `, 'mi').test(await readFile(message, 'utf8'))) return false;
  const options = ['--in-place', '--if-exists', 'doNothing', '--trailer', `${TRAILER}: ${sessionId}`];
  await git(root, 'interpret-trailers', ...options, message);
  return true;
}

/** The build session of this client session, else that of the client that last did something in this checkout. */
async function sessionOf(folder: string, clientSession: string | undefined): Promise<string | null> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.json'));
  const mine = names.filter((name) => name === `${clientSession}.json`);
  const dated = await Promise.all(
    (mine.length > 0 ? mine : names).map(async (name) => ({ name, at: (await stat(path.join(folder, name))).mtimeMs })),
  );
  const newest = dated.filter(({ at }) => Date.now() - at < STALE_MS).sort((a, b) => b.at - a.at)[0];
  if (newest === undefined) return null;
  try {
    const { build_session_id }: { build_session_id?: unknown } = JSON.parse(
      await readFile(path.join(folder, newest.name), 'utf8'),
    );
    return typeof build_session_id === 'string' && /^[0-9A-Z]{26}$/.test(build_session_id) ? build_session_id : null;
  } catch {
    return null;
  }
}
