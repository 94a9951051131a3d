import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';

/** Who the server runs as. Empty: as ourselves. */
export interface Account {
  uid?: number;
  gid?: number;
}

/** `nobody` by convention. Only the number is needed: no entry in /etc/passwd, no user is created. */
const NOBODY = 65534;

/**
 * Postgres refuses to run as root. Then it runs as the owner of the data that is there (a start without root may have
 * made it, and should be able to use it again), else as uid 65534.
 */
export function serverAccount(dataDir: string): Account {
  if (process.getuid?.() !== 0) return {};
  const owner = existsSync(path.join(dataDir, 'PG_VERSION')) ? statSync(dataDir) : undefined;
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  return { uid: NOBODY, gid: NOBODY };
}

/** Asks a shell under the account, because mode bits alone do not tell (ACLs, mounts). `test` sees the path as `$1`. */
export function accountCan(account: Account, test: string, file: string): boolean {
  const answer = spawnSync('/bin/sh', ['-c', test, 'sh', file], { ...account, cwd: '/', stdio: 'ignore' });
  if (answer.error) {
    throw new Error(`Cannot run a process as uid ${account.uid}, which Postgres needs here: ${answer.error.message}`);
  }
  return answer.status === 0;
}

/** Only what the programs need: a PGPORT or PGDATA of the caller must not reach them. */
export function serverEnvironment(): NodeJS.ProcessEnv {
  const kept = ['PATH', 'SystemRoot', 'TEMP', 'TMP'].map((name) => [name, process.env[name]] as const);
  return { ...Object.fromEntries(kept.filter(([, value]) => value !== undefined)), LC_ALL: 'C', TZ: 'UTC' };
}
