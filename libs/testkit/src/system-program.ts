import { spawnSync } from 'node:child_process';

export interface SystemProgram {
  readonly name: string;
  /** Its path, when it is installed. */
  readonly find: () => string | null;
  /** Of Debian. */
  readonly packageName: string;
  /** What somebody can do who has neither it nor apt. */
  readonly advice: string;
}

/**
 * The path of a program that no npm package carries: as found, else installed with apt where we are root and apt is
 * there. Throws with what to install.
 */
export function obtainProgram({ name, find, packageName, advice }: SystemProgram): string {
  const present = find();
  if (present) return present;
  if (process.getuid?.() !== 0 || !succeeds('apt-get', ['--version'])) {
    throw new Error(`There is no ${name} on PATH. ${advice}`);
  }
  process.stderr.write(`There is no ${name} on PATH: installing it with apt-get.\n`);
  succeeds('apt-get', ['update']);
  // Another apt may hold the lock for a while.
  const options = ['-o', 'DPkg::Lock::Timeout=120', 'install', '-y', '--no-install-recommends'];
  const installed = succeeds('apt-get', [...options, packageName]);
  const program = find();
  if (program) return program;
  throw new Error(`apt-get ${installed ? 'brought' : 'could not install'} no ${name}. ${advice}`);
}

function succeeds(command: string, args: string[]): boolean {
  // RUNLEVEL=1 keeps a package from starting a server of its own.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  return spawnSync(command, args, { env, stdio: 'ignore' }).status === 0;
}
