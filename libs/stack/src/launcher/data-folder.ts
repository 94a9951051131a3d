import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** The files and folders of one stack. */
export interface DataFolder {
  root: string;
  stackFile: string;
  lockFile: string;
  secretsFile: string;
  /** One file per running application, so that a start after a kill -9 finds what is left. */
  runFolder: string;
  postgres: string;
  redis: string;
  logOf(process: string): string;
}

/** Makes the folder. It ignores itself in git and is closed to others, but for passing through when Postgres runs as another uid. */
export function prepareDataFolder(root: string): DataFolder {
  const runFolder = path.join(root, 'run');
  mkdirSync(runFolder, { recursive: true, mode: 0o700 });
  chmodSync(root, process.getuid?.() === 0 ? 0o711 : 0o700);
  const ignore = path.join(root, '.gitignore');
  if (!existsSync(ignore)) writeFileSync(ignore, '*\n');
  return {
    root,
    stackFile: path.join(root, 'stack.json'),
    lockFile: path.join(root, 'launcher.json'),
    secretsFile: path.join(root, 'secrets.json'),
    runFolder,
    postgres: path.join(root, 'postgres'),
    redis: path.join(root, 'redis'),
    logOf: (process) => path.join(root, 'logs', `${process}.log`),
  };
}
