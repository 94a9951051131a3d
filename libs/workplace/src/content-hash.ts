import { createHash } from 'node:crypto';
import { lstat, readlink } from 'node:fs/promises';
import path from 'node:path';
import { git, zeroSeparated } from './git.js';

interface Entry {
  readonly mode: string;
  readonly blob: string;
}

export interface ContentHashOptions {
  /** Files that do not count, by their path below the root, `/` between parts. */
  readonly except?: (file: string) => boolean;
}

/**
 * SHA-256, 64 hex digits, over the files of a checkout as they are in the folder: tracked ones, and untracked ones that
 * git does not ignore. A commit alone does not change it, because it changes no file; an edit, a new file, a deletion or
 * an executable bit does. Nothing is written, not even the index.
 *
 * @returns null outside git
 */
export async function contentHash(
  root: string,
  { except = () => false }: ContentHashOptions = {},
): Promise<string | null> {
  const staged = await git(root, ['ls-files', '--stage', '-z']);
  if (staged === null) return null;
  const entries = new Map(zeroSeparated(staged).map(stagedEntry));
  const touched = await Promise.all([
    git(root, ['diff-files', '--name-only', '-z']),
    git(root, ['ls-files', '--others', '--exclude-standard', '-z']),
  ]);
  await readAsTheyAre(root, touched.flatMap(zeroSeparated), entries);
  const hash = createHash('sha256');
  for (const [name, { mode, blob }] of [...entries].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (!except(name)) hash.update(`${mode} ${blob} ${name}\0`);
  }
  return hash.digest('hex');
}

/** `<mode> <blob> <stage>\t<name>`. A conflict has up to three stages; the file in the folder is read then anyway. */
function stagedEntry(line: string): [string, Entry] {
  const tab = line.indexOf('\t');
  const [mode = '', blob = ''] = line.slice(0, tab).split(' ');
  return [line.slice(tab + 1), { mode, blob }];
}

/** Replaces the entries of files whose content may not be what the index says. */
async function readAsTheyAre(root: string, names: readonly string[], entries: Map<string, Entry>): Promise<void> {
  const files: { readonly name: string; readonly mode: string }[] = [];
  for (const name of new Set(names)) {
    const stat = await lstat(path.join(root, name)).catch(() => null);
    if (stat === null) entries.delete(name);
    else if (stat.isSymbolicLink()) {
      const target = await readlink(path.join(root, name));
      entries.set(name, { mode: '120000', blob: await blobOf(root, ['--stdin'], target) });
    } else if (stat.isFile()) files.push({ name, mode: (stat.mode & 0o100) === 0 ? '100644' : '100755' });
  }
  // With the filters of .gitattributes, so that a file reads the same before and after its commit.
  const paths = files.map(({ name }) => name);
  const plain = paths.filter((name) => !name.includes('\n'));
  const output = await git(root, ['hash-object', '--stdin-paths'], {
    input: plain.map((name) => `${name}\n`).join(''),
  });
  const blobs = new Map(plain.map((name, index) => [name, output?.split('\n')[index] ?? '']));
  for (const { name, mode } of files) {
    const blob = blobs.get(name) ?? (await blobOf(root, ['--', name]));
    entries.set(name, { mode, blob });
  }
}

const blobOf = async (root: string, argv: readonly string[], input = ''): Promise<string> =>
  (await git(root, ['hash-object', ...argv], { input }))?.trim() ?? '';
