import { findProgram } from '@perdure/stack/services';
import { obtainProgram } from './system-program.js';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/** The path of a Chromium for tests of pages. Throws with what to install. */
export const obtainChromium = (): string =>
  obtainProgram({
    name: 'chromium',
    find: () => findProgram(NAMES),
    packageName: 'chromium',
    advice: 'Install Chromium or Chrome (Debian: apt-get install chromium; macOS: brew install --cask chromium).',
  });
