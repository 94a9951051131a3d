/** A test that failed, as the tool names it. */
export interface TestFailure {
  /** File, or what the tool has in its place: a package of Go, a crate, a class. Empty when it says none. */
  readonly file: string;
  /** From the outermost group to the test itself; empty when a file failed before any test ran. */
  readonly names: readonly string[];
  /** What the assertion said, as printed. */
  readonly message: string;
}

/** What one tool's output says: null where the output is not of that tool. */
export type FormatReader = (output: string) => ReadRun | null;

export interface ReadRun {
  readonly failures: readonly TestFailure[];
}

/** Folders at which projects begin to name their own files. */
const PROJECT_FOLDERS = new Set(['packages', 'apps', 'libs', 'src', 'test', 'tests', '__tests__', 'spec', 'e2e']);

/**
 * A path as the project would write it: below `root` when it is there, else from the first folder that projects name
 * their parts by, else the bare file name. A relative path stays as it is, so that two checkouts give one name.
 */
export function projectPath(file: string, root?: string): string {
  const path = file.replace(/^file:\/\//, '').replaceAll('\\', '/');
  if (!/^(?:\/|[A-Za-z]:\/)/.test(path)) return path.replace(/^\.\//, '');
  if (root !== undefined && path.startsWith(`${root}/`)) return path.slice(root.length + 1);
  const parts = path.split('/');
  const first = parts.findIndex((part) => PROJECT_FOLDERS.has(part));
  return first === -1 ? (parts.at(-1) ?? path) : parts.slice(first).join('/');
}

/** Lines up to the first that says the message is over. */
export function linesUntil(lines: readonly string[], isEnd: (line: string) => boolean): string[] {
  const end = lines.findIndex(isEnd);
  return end === -1 ? [...lines] : lines.slice(0, end);
}

/** `name:` the captured group, or empty. */
export const group = (match: RegExpMatchArray | null | undefined, name: string): string => match?.groups?.[name] ?? '';
