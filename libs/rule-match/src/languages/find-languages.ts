import { LINGUIST_TABLE } from './linguist-table.js';

interface Directory {
  /** Name or alias in lower case → the language's name. */
  readonly byName: ReadonlyMap<string, string>;
  readonly byExtension: ReadonlyMap<string, readonly string[]>;
  readonly byFileName: ReadonlyMap<string, readonly string[]>;
  /** Language → the one it is a kind of: TSX → TypeScript. */
  readonly parents: ReadonlyMap<string, string>;
}

/**
 * The language a name or alias stands for, compared without case; blanks and hyphens are alike, as in linguist's own
 * aliases. Null for a name that linguist does not know.
 */
export function findLanguage(name: string): string | null {
  return directory().byName.get(nameKey(name)) ?? null;
}

/**
 * The languages a file may be in, by its name alone: the whole name first (`CMakeLists.txt` is no text), then the
 * longest known ending. Both without case. An ambiguous ending gives every candidate: a rule too many is better than a
 * rule missed.
 *
 * @param fileName last segment of a path
 */
export function languagesOfFile(fileName: string): readonly string[] {
  const { byFileName, byExtension } = directory();
  const name = fileName.toLowerCase();
  const named = byFileName.get(name);
  if (named) return named;
  // Linguist knows no ending of more than two dots, so the last three are all that can be one.
  for (let dot = thirdLastDot(name); dot >= 0; dot = name.indexOf('.', dot + 1)) {
    const languages = byExtension.get(name.slice(dot));
    if (languages) return languages;
  }
  return [];
}

/** The language itself and the one it is a kind of: a rule for TypeScript holds for TSX, not the other way round. */
export function withParent(language: string): readonly string[] {
  const parent = directory().parents.get(language);
  return parent === undefined ? [language] : [language, parent];
}

/** Known names that one typing fault away from the given one, for the hint of a refusal. */
export const knownLanguageNames = (): Iterable<string> => directory().byName.keys();

const nameKey = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '-');

function thirdLastDot(name: string): number {
  let dot = name.length;
  for (let count = 0; count < 3; count += 1) {
    const earlier = dot === 0 ? -1 : name.lastIndexOf('.', dot - 1);
    if (earlier < 0) break;
    dot = earlier;
  }
  return dot === name.length ? -1 : dot;
}

let loaded: Directory | null = null;

/** Read at the first question: a process that never matches a language need not know 833 of them. */
const directory = (): Directory => (loaded ??= readTable());

function readTable(): Directory {
  const byName = new Map<string, string>();
  const byExtension = new Map<string, string[]>();
  const byFileName = new Map<string, string[]>();
  const parents = new Map<string, string>();
  for (const entry of LINGUIST_TABLE.split(';')) {
    const [head = '', aliases = '', extensions = '', fileNames = ''] = entry.split('|').map((field) => field.trim());
    if (head === '') continue;
    const [name = head, parent] = head.split('>');
    if (parent !== undefined) parents.set(name, parent);
    for (const alias of [name, ...words(aliases, ',')]) byName.set(nameKey(alias), name);
    for (const extension of words(extensions, /\s+/)) addTo(byExtension, extension.toLowerCase(), name);
    for (const fileName of words(fileNames, /\s+/)) addTo(byFileName, fileName.toLowerCase(), name);
  }
  return { byName, byExtension, byFileName, parents };
}

const words = (text: string, separator: string | RegExp): string[] =>
  text.split(separator).filter((word) => word !== '');

function addTo(table: Map<string, string[]>, key: string, language: string): void {
  const list = table.get(key);
  if (!list) table.set(key, [language]);
  else if (!list.includes(language)) list.push(language);
}
