import { GlobSyntaxError } from './glob-syntax-error.js';

const SLASH = 0x2f;
const LAST_CODE_POINT = 0x10ffff;
/** POSIX names that RE2 knows; all are ASCII. */
const POSIX_CLASSES: Readonly<Record<string, readonly CodeRange[]>> = {
  alnum: ranges('0-9A-Za-z'),
  alpha: ranges('A-Za-z'),
  ascii: [[0, 0x7f]],
  blank: ranges('\t\t  '),
  cntrl: [
    [0, 0x1f],
    [0x7f, 0x7f],
  ],
  digit: ranges('0-9'),
  graph: ranges('!-~'),
  lower: ranges('a-z'),
  print: ranges(' -~'),
  punct: ranges('!-/:-@[-`{-~'),
  space: ranges('\t-\r  '),
  upper: ranges('A-Z'),
  word: ranges('0-9A-Za-z__'),
  xdigit: ranges('0-9A-Fa-f'),
};

type CodeRange = readonly [first: number, last: number];

/** `a-zA-Z` as ranges: pairs of characters, with or without a hyphen between. */
function ranges(text: string): CodeRange[] {
  const pairs = text.match(/(.)-(.)|(.)(.)/gsu) ?? [];
  return pairs.map((pair): CodeRange => [pair.codePointAt(0) ?? 0, pair.codePointAt(pair.length - 1) ?? 0]);
}

interface ClassReader {
  readonly points: readonly string[];
  readonly start: number;
  at: number;
}

/**
 * Reads `[…]`: `!` or `^` first negates, `]` first is itself, `a-z` is a range, `\` escapes, `[:alpha:]` is a POSIX
 * class. A class never stands for the separator, whatever it lists.
 *
 * @returns the class as RE2, and the index behind its `]`
 * @throws GlobSyntaxError for a class that is not closed or a range that runs backwards
 */
export function readClass(points: readonly string[], start: number): { expression: string; end: number } {
  const reader: ClassReader = { points, start, at: start + 1 };
  const negated = points[reader.at] === '!' || points[reader.at] === '^';
  if (negated) reader.at += 1;
  const listed: CodeRange[] = [];
  do listed.push(...readItem(reader));
  while (points[reader.at] !== ']');
  return { expression: expressionOf(listed, negated), end: reader.at + 1 };
}

function readItem(reader: ClassReader): readonly CodeRange[] {
  const posix = readPosixClass(reader);
  if (posix) return posix;
  const position = reader.at;
  const first = readPoint(reader);
  if (reader.points[reader.at] !== '-' || reader.points[reader.at + 1] === ']') return [[first, first]];
  reader.at += 1;
  const last = readPoint(reader);
  if (last < first) throw new GlobSyntaxError('the range runs backwards', position);
  return [[first, last]];
}

function readPoint(reader: ClassReader): number {
  if (reader.points[reader.at] === '\\') reader.at += 1;
  const point = reader.points[reader.at]?.codePointAt(0);
  if (point === undefined) {
    throw new GlobSyntaxError('the class is not closed: add "]", or write \\[ for the character', reader.start);
  }
  reader.at += 1;
  return point;
}

function readPosixClass(reader: ClassReader): readonly CodeRange[] | null {
  const { points, at } = reader;
  if (points[at] !== '[' || points[at + 1] !== ':') return null;
  const end = points.indexOf(':', at + 2);
  if (end < 0 || points[end + 1] !== ']') return null;
  const name = points.slice(at + 2, end).join('');
  if (!Object.hasOwn(POSIX_CLASSES, name)) throw new GlobSyntaxError(`there is no class [:${name}:]`, at);
  reader.at = end + 2;
  return POSIX_CLASSES[name] ?? null;
}

/** RE2 cannot subtract from a class, so the separator is cut out of the ranges, or added to those of a negated one. */
function expressionOf(listed: readonly CodeRange[], negated: boolean): string {
  const spans = negated ? [...listed, [SLASH, SLASH] as const] : listed.flatMap(withoutSlash);
  if (spans.length === 0) return `[^\\x{0}-\\x{${LAST_CODE_POINT.toString(16)}}]`;
  const body = spans.map(([first, last]) => `\\x{${first.toString(16)}}-\\x{${last.toString(16)}}`).join('');
  return negated ? `[^${body}]` : `[${body}]`;
}

function withoutSlash([first, last]: CodeRange): CodeRange[] {
  if (first > SLASH || last < SLASH) return [[first, last]];
  const parts: CodeRange[] = [
    [first, SLASH - 1],
    [SLASH + 1, last],
  ];
  return parts.filter(([low, high]) => low <= high);
}
