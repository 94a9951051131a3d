import { readFlowList, readScalar } from './frontmatter-values.js';
import { RuleFileFault } from './rule-file.js';

/** One item of a value, with its own line: a list may run over many. */
export interface FrontmatterItem {
  readonly text: string;
  readonly line: number;
}

export interface FrontmatterField {
  readonly key: string;
  readonly line: number;
  /** One for a plain value, any number for a list, none for an empty value. */
  readonly items: readonly FrontmatterItem[];
}

export interface Frontmatter {
  readonly fields: readonly FrontmatterField[];
  /** 1-based line of the `---` that closes it; 0 without frontmatter. */
  readonly endLine: number;
}

const FENCE = /^---[ \t]*$/;
const FIELD = /^([A-Za-z_][\w-]*)[ \t]*:(?:[ \t]+(.*))?$/;
const LIST_ITEM = /^[ ]*-(?:[ \t]+(.*))?$/;
const BLOCK_SCALAR = /^[|>][-+0-9]*$/;

interface LineReader {
  readonly lines: readonly string[];
  /** Index of the next line; `end` is the closing fence. */
  at: number;
  readonly end: number;
}

/**
 * Reads the frontmatter of a rule file: a flat list of fields. No YAML library, because they cannot do either half of
 * the task. The editors write `globs: *.ts` without quotes, which is an alias to YAML and so an error; and a file that cannot
 * be read must be rejected with its line, a duplicate key and a tab included.
 *
 * @throws RuleFileFault
 */
export function readFrontmatter(lines: readonly string[]): Frontmatter {
  if (!FENCE.test(lines[0] ?? '')) return { fields: [], endLine: 0 };
  const end = lines.findIndex((line, index) => index > 0 && FENCE.test(line));
  if (end < 0) throw new RuleFileFault(1, 'the frontmatter that opens here is never closed: add a line ---');
  const reader: LineReader = { lines, at: 1, end };
  const fields: FrontmatterField[] = [];
  for (skipIdle(reader); reader.at < end; skipIdle(reader)) {
    const field = readField(reader);
    const earlier = fields.find(({ key }) => key === field.key);
    if (earlier) throw new RuleFileFault(field.line, `${field.key} stands here twice: first on line ${earlier.line}`);
    fields.push(field);
  }
  return { fields, endLine: end + 1 };
}

const isIdle = (line: string): boolean => /^\s*(?:#.*)?$/.test(line);

function skipIdle(reader: LineReader): void {
  while (reader.at < reader.end && isIdle(reader.lines[reader.at] ?? '')) reader.at += 1;
}

function readField(reader: LineReader): FrontmatterField {
  const text = nextLine(reader);
  const line = reader.at;
  const [, key, value = ''] = FIELD.exec(text) ?? [];
  if (key === undefined) throw new RuleFileFault(line, 'is no field: write "name: value", without indentation');
  return { key, line, items: readValue(reader, value.trim(), line) };
}

/** Takes a line; from then on `reader.at` is its 1-based number. */
function nextLine(reader: LineReader): string {
  const text = reader.lines[reader.at] ?? '';
  reader.at += 1;
  if (/^ *\t/.test(text)) throw new RuleFileFault(reader.at, 'is indented with a tab: YAML takes blanks only');
  return text;
}

function readValue(reader: LineReader, value: string, line: number): FrontmatterItem[] {
  if (value === '' || value.startsWith('#')) return readBlockList(reader);
  if (BLOCK_SCALAR.test(value)) return [{ text: readBlockText(reader), line }];
  if (value.startsWith('[') && (!value.includes(']') || /\]\s*(?:\s#.*)?$/.test(value))) {
    return readFlowList(wholeFlowList(reader, value), line).map((text) => ({ text, line }));
  }
  const text = readScalar(value, line);
  skipIdle(reader);
  if (reader.at < reader.end && /^\s/.test(reader.lines[reader.at] ?? '')) {
    nextLine(reader);
    throw new RuleFileFault(reader.at, 'continues a value: put it on one line, or in a list');
  }
  return text === '' ? [] : [{ text, line }];
}

function readBlockList(reader: LineReader): FrontmatterItem[] {
  const items: FrontmatterItem[] = [];
  for (skipIdle(reader); reader.at < reader.end; skipIdle(reader)) {
    if (FIELD.test(reader.lines[reader.at] ?? '')) break;
    const [matched, value = ''] = LIST_ITEM.exec(nextLine(reader)) ?? [];
    const text = matched === undefined ? '' : readScalar(value.trim(), reader.at);
    if (text === '') throw new RuleFileFault(reader.at, 'is no item of the list: write "- value"');
    items.push({ text, line: reader.at });
  }
  return items;
}

function readBlockText(reader: LineReader): string {
  const texts: string[] = [];
  while (reader.at < reader.end && /^(?:\s|$)/.test(reader.lines[reader.at] ?? '')) texts.push(nextLine(reader).trim());
  return texts.join(' ').trim();
}

function wholeFlowList(reader: LineReader, start: string): string {
  const opened = reader.at;
  let value = start;
  while (!value.includes(']')) {
    if (reader.at >= reader.end) throw new RuleFileFault(opened, 'the list that opens here is never closed: add "]"');
    value += ` ${nextLine(reader).trim()}`;
  }
  return value;
}
