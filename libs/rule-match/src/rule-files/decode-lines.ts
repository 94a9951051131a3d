import { fencedLines } from './markdown-lines.js';
import { RuleFileFault } from './rule-file.js';

/** What a decoder leaves of bytes it could not read. */
const REPLACEMENT = '\ufffd';
/** The marks of an unresolved merge; `=======` alone may underline a heading. */
const CONFLICT_MARK = /^(?:<{7}|>{7}|\|{7})(?:\s|$)/;

/**
 * The lines of a file: UTF-8, without a byte order mark, with LF, CRLF or CR between them.
 *
 * @throws RuleFileFault for text that was damaged before it came here, or a merge conflict outside of a code block
 */
export function decodeLines(content: string | Uint8Array): string[] {
  // Not `fatal`, which would not say where: what could not be read is found by its line below.
  const text = typeof content === 'string' ? content : new TextDecoder().decode(content);
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\n|\r/);
  lines.forEach((line, index) => {
    if (line.includes(REPLACEMENT) || !line.isWellFormed()) throw notUtf8(index + 1);
    if (line.includes('\0')) throw new RuleFileFault(index + 1, 'holds the character U+0000');
  });
  const fenced = fencedLines(lines);
  const conflict = lines.findIndex((line, index) => !fenced[index] && CONFLICT_MARK.test(line));
  if (conflict >= 0) throw new RuleFileFault(conflict + 1, 'holds the mark of a merge conflict: resolve it first');
  return lines;
}

const notUtf8 = (line: number): RuleFileFault =>
  new RuleFileFault(line, 'is not UTF-8, or was read as if it were: save the file as UTF-8');
