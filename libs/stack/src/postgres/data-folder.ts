import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { errorCode } from '../error-code.js';
import { serverEnvironment, type Account } from './account.js';
import type { PostgresBinaries } from './binaries.js';
import { canEnter, reachableFolder } from './reachable-folder.js';

export const SUPERUSER = 'postgres';
const run = promisify(execFile);

/**
 * Where the data of `dataDir` really lies. The server's account must pass every folder above it; when it cannot, the
 * data moves to a place it can reach, and `<dataDir>.location` says where.
 */
export function placeData(dataDir: string, account: Account, candidates?: readonly string[]): string {
  if (account.uid === undefined) return dataDir;
  const pointer = locationFile(dataDir);
  if (existsSync(pointer)) return readFileSync(pointer, 'utf8').trim();
  mkdirSync(path.dirname(dataDir), { recursive: true });
  if (canEnter(account, path.dirname(dataDir))) return dataDir;
  // A random name: a data folder that was deleted and made anew must not find the old data again.
  const target = path.join(reachableFolder(account, candidates), `data-${randomBytes(6).toString('hex')}`);
  if (existsSync(path.join(dataDir, 'PG_VERSION'))) copyData(dataDir, target, account);
  writeFileSync(pointer, `${target}\n`, { mode: 0o600 });
  return target;
}

export function locationFile(dataDir: string): string {
  return `${dataDir}.location`;
}

function copyData(from: string, to: string, account: Account): void {
  cpSync(from, to, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
  for (const entry of ['.', ...readdirSync(to, { recursive: true, encoding: 'utf8' })])
    give(path.join(to, entry), account);
}

/**
 * Runs initdb when the folder holds no data yet: UTF-8, scram for every connection, a random superuser password in
 * `<dataDir>/perdure-password` (0600). Sorting is by code point and the same on every machine (builtin C.UTF-8).
 * Throws when the folder holds something else, or data of another major version.
 */
export async function initialiseData(
  binaries: PostgresBinaries,
  dataDir: string,
  account: Account,
  { sync }: { sync: boolean },
): Promise<void> {
  if (holdsData(dataDir, binaries.major)) return;
  const staging = `${dataDir}.initialising`;
  const passwordFile = `${staging}.password`;
  rmSync(staging, { recursive: true, force: true });
  mkdirSync(staging, { recursive: true, mode: 0o700 });
  give(staging, account);
  const password = randomBytes(24).toString('base64url');
  writeSecret(passwordFile, password, account);
  const flags = [
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
  ];
  const args = [
    '-D',
    staging,
    '-U',
    SUPERUSER,
    `--pwfile=${passwordFile}`,
    ...flags,
    '--no-instructions',
    ...(sync ? [] : ['--no-sync']),
  ];
  try {
    await run(binaries.initdb, args, { ...account, cwd: path.parse(staging).root, env: serverEnvironment() });
  } finally {
    rmSync(passwordFile, { force: true });
  }
  writeSecret(path.join(staging, 'perdure-password'), password, account);
  // Renamed last: an initdb cut short by a kill leaves no folder that looks whole.
  if (existsSync(dataDir)) rmdirSync(dataDir);
  renameSync(staging, dataDir);
}

export function superuserPassword(dataDir: string): string {
  return readFileSync(path.join(dataDir, 'perdure-password'), 'utf8').trim();
}

function holdsData(dataDir: string, major: string): boolean {
  const entries = entriesOf(dataDir);
  if (entries.length === 0) return false;
  if (!entries.includes('PG_VERSION')) {
    throw new Error(`${dataDir} holds files, but no Postgres data. Choose another data folder.`);
  }
  const version = readFileSync(path.join(dataDir, 'PG_VERSION'), 'utf8').trim();
  if (version !== major) throw new Error(`${dataDir} holds data of Postgres ${version}; this is Postgres ${major}.`);
  return true;
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw new Error(`${folder} belongs to another user. Start as that user, or choose another data folder.`);
  }
}

function writeSecret(file: string, secret: string, account: Account): void {
  writeFileSync(file, `${secret}\n`, { mode: 0o600 });
  give(file, account);
}

function give(file: string, { uid, gid }: Account): void {
  if (uid !== undefined && gid !== undefined) chownSync(file, uid, gid);
}
