import { normalizePath, type RepositoryPath } from '../globs/normalize-path.js';
import { findLanguage, languagesOfFile, withParent } from '../languages/find-languages.js';
import type { Change } from '../rule.js';

/** A change in the forms that rules are compared with; worked out once for all rules. */
export interface ChangeFacts {
  readonly files: readonly RepositoryPath[];
  readonly operations: ReadonlySet<string>;
  readonly languages: ReadonlySet<string>;
  readonly attributes: ReadonlySet<string>;
  readonly code: string | null;
}

type Attributes = Readonly<Record<string, string>>;

/** The facts of a change, with the project's own attributes beside the caller's. */
export function factsOf(change: Change, projectAttributes: Attributes = {}): ChangeFacts {
  const files = filesOf(change.file_paths ?? []);
  return {
    files,
    operations: new Set((change.operations ?? []).map(operationKey)),
    languages: languagesOf(change.languages ?? [], files),
    attributes: new Set([...attributeKeys(projectAttributes), ...attributeKeys(change.project_attributes ?? {})]),
    code: change.code ?? null,
  };
}

/** Operations are a free vocabulary: case and surrounding white space carry no meaning, in any locale. */
export const operationKey = (operation: string): string => operation.normalize('NFC').trim().toLowerCase();

/** Equal keys, equal attributes: JSON keeps `a=b` apart from `a`=`=b`. */
export const attributeKey = (name: string, value: string): string => JSON.stringify([name, value]);

const attributeKeys = (attributes: Attributes): string[] =>
  Object.entries(attributes).map(([name, value]) => attributeKey(name, value));

function filesOf(paths: readonly string[]): RepositoryPath[] {
  const files = new Map<string, RepositoryPath>();
  for (const given of paths) {
    const path = normalizePath(given);
    if (typeof path !== 'string') files.set(path.text, path);
  }
  return [...files.values()];
}

/** An empty list is none given. A name that linguist does not know is no fault of the change: it matches nothing. */
function languagesOf(given: readonly string[], files: readonly RepositoryPath[]): Set<string> {
  const languages =
    given.length > 0
      ? given.map(findLanguage).filter((language) => language !== null)
      : files.flatMap(({ segments }) => languagesOfFile(segments.at(-1) ?? ''));
  return new Set(languages.flatMap(withParent));
}
