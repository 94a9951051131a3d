import type { ExportedUsage } from '@perdure/store';

const COLUMNS = [
  'day',
  'project',
  'build_session_id',
  'actor',
  'client',
  'transcript_id',
  'parent_transcript_id',
  'model',
  'quality',
  'turns',
  'input_tokens',
  'output_tokens',
  'cache_write_5m_tokens',
  'cache_write_1h_tokens',
  'cache_read_tokens',
];

/** What a spreadsheet takes for the beginning of a formula (OWASP, CSV Injection); some drop blanks before it. */
const FORMULA = /^[\s\p{Cf}]*[=+\-@＝＋－＠]|^[\t\r\n]/u;

/**
 * A cell of RFC 4180. A text that a spreadsheet would run as a formula gets an apostrophe before it, which makes it text
 * there and is what a reader of the file must take away.
 */
function cell(value: ExportedUsage[string] | undefined): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') return String(value);
  const safe = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export type UsageFormat = 'csv' | 'ndjson';

/** What stands before the rows. */
export const usageHeader = (format: UsageFormat): string => (format === 'csv' ? `${COLUMNS.join(',')}\r\n` : '');

/** A row with the end of its line. */
export const usageLine = (format: UsageFormat, row: ExportedUsage): string =>
  format === 'csv' ? `${COLUMNS.map((column) => cell(row[column])).join(',')}\r\n` : `${JSON.stringify(row)}\n`;

/** The file as it is read, some hundred rows a piece. */
export async function* usageBytes(format: UsageFormat, rows: AsyncIterable<ExportedUsage>): AsyncGenerator<Uint8Array> {
  let text = usageHeader(format);
  for await (const row of rows) {
    text += usageLine(format, row);
    if (text.length < 32_768) continue;
    yield Buffer.from(text);
    text = '';
  }
  if (text !== '') yield Buffer.from(text);
}
