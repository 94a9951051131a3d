import path from 'node:path';

/** The clone this package lives in: two folders above the package, for `src` and `dist` alike. */
export const REPOSITORY_ROOT = path.resolve(__dirname, '../../..');
