import os from 'node:os';
import path from 'node:path';
import { git } from './git.js';
import { remoteIdentity } from './remote-identity.js';

/** Where somebody works, as git says it. */
export interface Workplace {
  /** Top folder of this worktree, absolute. */
  readonly root: string;
  /** `host/owner/repository` of its remote, or null when it has none. */
  readonly remote: string | null;
  /** `(detached)/<worktree>` without a branch: two detached worktrees are two places. */
  readonly branch: string;
  /** Name of a linked worktree; null in the main one. */
  readonly worktree: string | null;
  /** The folder below the root, `/` between parts; empty at the root itself. */
  readonly path: string;
}

/** The workplace that a folder belongs to, or null outside git. */
export async function readWorkplace(folder: string): Promise<Workplace | null> {
  const places = await git(folder, [
    'rev-parse',
    '--path-format=absolute',
    '--show-toplevel',
    '--git-dir',
    '--git-common-dir',
    '--show-prefix',
  ]);
  const [root, gitFolder = '', commonFolder = '', prefix = ''] = places?.split('\n') ?? [];
  if (root === undefined || root === '') return null;
  const worktree = gitFolder === commonFolder ? null : path.basename(gitFolder);
  const branch = (await git(folder, ['symbolic-ref', '--quiet', '--short', 'HEAD']))?.trim();
  return {
    root,
    remote: await remoteOf(folder, branch),
    branch: branch ?? `(detached)/${worktree ?? path.basename(root)}`,
    worktree,
    path: prefix.replace(/\/$/, ''),
  };
}

/** `origin`, else the remote that the branch follows, else the first by name. */
async function remoteOf(folder: string, branch: string | undefined): Promise<string | null> {
  const listed = await git(folder, ['config', '--get-regexp', String.raw`^(remote\..*\.url|branch\..*\.remote)$`]);
  const settings = new Map(
    (listed ?? '').split('\n').map((line) => {
      const space = line.indexOf(' ');
      return [line.slice(0, space), line.slice(space + 1)];
    }),
  );
  const urlOf = (name: string | undefined) => settings.get(`remote.${name}.url`);
  const names = [...settings.keys()].flatMap((key) => /^remote\.(.*)\.url$/.exec(key)?.[1] ?? []).sort();
  const url = urlOf('origin') ?? urlOf(settings.get(`branch.${branch}.remote`)) ?? urlOf(names[0]);
  return url === undefined ? null : remoteIdentity(url);
}

/** What the computer calls itself, without a domain: networks give one laptop another domain each day. */
export const computerName = (hostName: string = os.hostname()): string =>
  hostName.split('.')[0]?.toLowerCase() || 'computer';
