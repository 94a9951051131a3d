import { execFile } from 'node:child_process';

export interface GitOptions {
  /** Written to git's standard input. */
  readonly input?: string;
}

/** A hanging file system must not hang a hook. */
const TIMEOUT_MS = 10_000;
/** Names of all files of a large repository. */
const MOST_BYTES = 512 * 1024 * 1024;

/** Output of a git command in a folder, or null when git refused or is not there. It takes no lock and asks nothing. */
export function git(folder: string, argv: readonly string[], { input }: GitOptions = {}): Promise<string | null> {
  return new Promise((resolve) => {
    const env = { ...process.env, GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' };
    const options = { cwd: folder, env, timeout: TIMEOUT_MS, maxBuffer: MOST_BYTES };
    const child = execFile('git', argv, options, (error, stdout) => resolve(error ? null : stdout));
    // A folder that is gone, or git that ends early, says so in the callback.
    child.stdin?.on('error', () => undefined).end(input ?? '');
  });
}

/** The parts of `-z` output. */
export const zeroSeparated = (output: string | null): string[] =>
  (output ?? '').split('\0').filter((part) => part !== '');
