import { execFileSync } from 'node:child_process';
import path from 'node:path';

const PACKAGE_FOLDER = path.join(__dirname, '..', '..');

/**
 * Runs an ES module in a Node of its own and gives its output lines: jest runs CommonJS, which cannot load the packages that
 * exist as ES modules only. In `code`, `lines` are the input lines and `say` prints one.
 */
export function runEsm(code: string, input: readonly string[]): string[] {
  const program = `
    import { readFileSync } from 'node:fs';
    const lines = readFileSync(0, 'utf8').split('\\n');
    const said = [];
    const say = (line) => said.push(line);
    ${code}
    process.stdout.write(said.join('\\n'));
  `;
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: PACKAGE_FOLDER,
    input: input.join('\n'),
    maxBuffer: 64 * 1024 * 1024,
    encoding: 'utf8',
  });
  return output.split('\n');
}
