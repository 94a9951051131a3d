import { spawnSync } from 'node:child_process';
import { findRedisServer } from '@perdure/stack/services';

const INSTALL =
  'Install Redis (Debian, Ubuntu: apt-get install redis-server; macOS: brew install redis), or test the other queue alone: npm test -- --queue=postgres';

/**
 * The path of a redis-server: from PATH, else installed with apt where we are root and apt is there. Throws with what to
 * install. No npm package carries one.
 */
export function obtainRedisServer(): string {
  const present = findRedisServer();
  if (present) return present;
  if (process.getuid?.() !== 0 || !succeeds('apt-get', ['--version'])) {
    throw new Error(`There is no redis-server on PATH. ${INSTALL}`);
  }
  process.stderr.write('There is no redis-server on PATH: installing it with apt-get.\n');
  succeeds('apt-get', ['update']);
  // Another apt may hold the lock for a while.
  const installed = succeeds('apt-get', [
    '-o',
    'DPkg::Lock::Timeout=120',
    'install',
    '-y',
    '--no-install-recommends',
    'redis-server',
  ]);
  const program = findRedisServer();
  if (program) return program;
  throw new Error(`apt-get ${installed ? 'brought' : 'could not install'} no redis-server. ${INSTALL}`);
}

function succeeds(command: string, args: string[]): boolean {
  // RUNLEVEL=1 keeps the package from starting its own server on port 6379.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  return spawnSync(command, args, { env, stdio: 'ignore' }).status === 0;
}
