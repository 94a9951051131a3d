import { execFile } from 'node:child_process';
import { CommandFailure, EXIT } from './exit-status.js';

const MOST_BYTES = 64 * 1024 * 1024;

/** Output of a git command in a folder. @throws CommandFailure with the first line of what git said against it */
export function git(folder: string, ...argv: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile('git', argv, { cwd: folder, maxBuffer: MOST_BYTES }, (error, stdout, stderr) => {
      if (!error) return resolve(stdout.trimEnd());
      const said = stderr.trim().split('\n')[0] ?? error.message;
      reject(new CommandFailure(EXIT.refused, `git ${argv[0] ?? ''}: ${said}`));
    });
  });
}
