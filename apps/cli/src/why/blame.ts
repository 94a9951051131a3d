import { CommandFailure, EXIT } from '../exit-status.js';
import { git } from '../git.js';
import { TRAILER } from '../hooks/commit-trailer.js';

export interface BlamedCommit {
  readonly sha: string;
  readonly subject: string;
  readonly author: string;
  /** RFC 3339. */
  readonly committed_at: string;
  /** Of the trailer, null without one. */
  readonly build_session_id: string | null;
}

/** `PATH:LINE`; a path may hold colons itself. */
export function placeOf(argument: string): { readonly file: string; readonly line: number | null } {
  const match = /^(?<file>.+):(?<line>[1-9]\d{0,8})$/.exec(argument);
  if (!match?.groups) return { file: argument, line: null };
  return { file: match.groups['file'] ?? '', line: Number(match.groups['line']) };
}

/**
 * The commit that wrote a line, wherever it stood then (git-blame(1), -C), or the last one that touched the file under any
 * name.
 *
 * @throws CommandFailure for a line that is not committed, and a file that git does not know
 */
export async function blame(folder: string, file: string, line: number | null): Promise<BlamedCommit> {
  const sha = line === null ? await lastOf(folder, file) : await commitOfLine(folder, file, line);
  const format = `--format=%H%x00%s%x00%an%x00%cI%x00%(trailers:key=${TRAILER},valueonly,separator=%x2C)`;
  const [full = sha, subject = '', author = '', at = '', trailer = ''] = (
    await git(folder, 'show', '-s', format, sha)
  ).split('\0');
  const id = trailer.split(',')[0]?.trim() ?? '';
  return { sha: full, subject, author, committed_at: at, build_session_id: id === '' ? null : id };
}

async function commitOfLine(folder: string, file: string, line: number): Promise<string> {
  const [sha = ''] = (await git(folder, 'blame', '--porcelain', '-C', `-L${line},${line}`, '--', file)).split(' ');
  if (/^0+$/.test(sha)) throw new CommandFailure(EXIT.refused, `${file}:${line} is not committed yet.`);
  return sha;
}

async function lastOf(folder: string, file: string): Promise<string> {
  const sha = (await git(folder, 'log', '-1', '--follow', '--format=%H', '--', file)).trim();
  if (sha === '') throw new CommandFailure(EXIT.refused, `No commit has ${file}.`);
  return sha;
}
