import { RuleFileFault } from './rule-file.js';

/** Escapes of a double-quoted YAML scalar (YAML 1.2, section 5.7) that stand for one character each. */
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  n: '\n',
  t: '\t',
  r: '\r',
  '0': '\0',
  ' ': ' ',
};
const NUMBERED_ESCAPE = /^(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4}))/;

/**
 * One value: quoted as in YAML, or plain. A plain value may hold anything, also what YAML would take for an alias, a tag
 * or a map; ` #` starts a comment.
 *
 * @throws RuleFileFault
 */
export function readScalar(value: string, line: number): string {
  const quote = value[0];
  if (quote !== '"' && quote !== "'") return value.replace(/(?:^|\s+)#.*$/, '').trim();
  const { text, end } = quote === '"' ? readDoubleQuoted(value, line) : readSingleQuoted(value, line);
  const rest = value.slice(end).trim();
  if (rest !== '' && !rest.startsWith('#')) {
    throw new RuleFileFault(line, `text stands behind the closing ${quote}: quote all of the value or nothing`);
  }
  return text.trim();
}

/**
 * `[a, "b", c.{d,e}]`: a comma in braces or in quotes does not separate.
 *
 * @throws RuleFileFault
 */
export function readFlowList(value: string, line: number): string[] {
  const inside = value.slice(1, value.lastIndexOf(']'));
  return splitAtCommas(inside, `"'`)
    .map((item) => readScalar(item, line))
    .filter((item) => item !== '');
}

/** Globs on one line: a comma in braces or in a class does not separate, and a backslash keeps the next character. */
export const splitGlobs = (text: string): string[] => splitAtCommas(text, '');

/** @param quotes signs that keep all up to their like together, where an item starts with one */
function splitAtCommas(text: string, quotes: string): string[] {
  const parts: string[] = [];
  let part = '';
  let depth = 0;
  let quote: string | null = null;
  for (const [sign] of text.matchAll(/\\.|./gsu)) {
    if (quote === null && quotes.includes(sign) && part.trim() === '') quote = sign;
    else if (sign === quote) quote = null;
    else if (quote === null && '{['.includes(sign)) depth += 1;
    else if (quote === null && '}]'.includes(sign)) depth = Math.max(0, depth - 1);
    if (sign === ',' && depth === 0 && quote === null) {
      parts.push(part.trim());
      part = '';
    } else {
      part += sign;
    }
  }
  parts.push(part.trim());
  return parts.filter((item) => item !== '');
}

/** A value that `readScalar` reads back; quoted only where it must be. */
export function writeScalar(text: string): string {
  const isPlain = text !== '' && text === text.trim() && !/^["'[\]|>#-]|\s#|[\n\r\t]/.test(text);
  return isPlain ? text : writeQuoted(text);
}

/** Always in double quotes: what lists of globs are written as. */
export const writeQuoted = (text: string): string =>
  `"${text.replace(/["\\]/g, '\\$&').replace(/\n/g, '\\n').replace(/\r/g, '\\r').replace(/\t/g, '\\t')}"`;

interface Quoted {
  readonly text: string;
  readonly end: number;
}

function readSingleQuoted(value: string, line: number): Quoted {
  const [whole, inside] = /^'((?:[^']|'')*)'/.exec(value) ?? [];
  if (whole === undefined || inside === undefined) throw notClosed("'", line);
  return { text: inside.replaceAll("''", "'"), end: whole.length };
}

function readDoubleQuoted(value: string, line: number): Quoted {
  let text = '';
  let index = 1;
  while (index < value.length && value[index] !== '"') {
    if (value[index] !== '\\') {
      text += value[index] ?? '';
      index += 1;
      continue;
    }
    const { character, length } = escapeAt(value.slice(index + 1), line);
    text += character;
    index += 1 + length;
  }
  if (index >= value.length) throw notClosed('"', line);
  return { text, end: index + 1 };
}

function escapeAt(rest: string, line: number): { character: string; length: number } {
  const simple = ESCAPES[rest[0] ?? ''];
  if (simple !== undefined) return { character: simple, length: 1 };
  const [whole, byte, unit] = NUMBERED_ESCAPE.exec(rest) ?? [];
  const code = byte ?? unit;
  if (whole === undefined || code === undefined) {
    throw new RuleFileFault(line, `\\${rest[0] ?? ''} is no escape: in double quotes a backslash is written \\\\`);
  }
  return { character: String.fromCharCode(Number.parseInt(code, 16)), length: whole.length };
}

const notClosed = (quote: string, line: number): RuleFileFault =>
  new RuleFileFault(line, `the value has no closing ${quote}`);
