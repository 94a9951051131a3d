/** Why a path cannot be a path of the repository. */
export type PathProblem = 'empty' | 'absolute' | 'outside';

export interface RepositoryPath {
  /** Segments joined by `/`, in NFC. */
  readonly text: string;
  /** Directories, then the file's name: an empty one where the path ends in `/`, so names a directory. */
  readonly segments: readonly string[];
}

/**
 * Reads a path a client sent: backslashes turned, `.` and doubled slashes dropped, `..` resolved, in NFC. A path that is
 * absolute or leads out of the repository is a problem, since answering "no rules" for it would be a silent miss.
 */
export function normalizePath(given: string): RepositoryPath | PathProblem {
  const slashed = given.normalize('NFC').replaceAll('\\', '/');
  if (slashed === '') return 'empty';
  if (slashed.startsWith('/') || /^[A-Za-z]:\//.test(slashed)) return 'absolute';
  const segments: string[] = [];
  for (const segment of slashed.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment === '..' && segments.length === 0) return 'outside';
    if (segment === '..') segments.pop();
    else segments.push(segment);
  }
  if (segments.length === 0) return 'empty';
  if (slashed.endsWith('/')) segments.push('');
  return { text: segments.join('/'), segments };
}
