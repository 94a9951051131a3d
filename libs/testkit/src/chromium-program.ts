import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { obtainProgram } from './system-program.js';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/** The path of a Chromium for tests of pages. Throws with what to install. */
export const obtainChromium = (): string =>
  obtainProgram({
    name: 'chromium',
    find: findChromium,
    packageName: 'chromium',
    advice: 'Install Chromium or Chrome (Debian: apt-get install chromium; macOS: brew install --cask chromium).',
  });

function findChromium(): string | null {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter).filter((folder) => folder !== '');
  const candidates = folders.flatMap((folder) => NAMES.map((name) => path.join(folder, name)));
  return candidates.find((candidate) => isExecutable(candidate)) ?? null;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
