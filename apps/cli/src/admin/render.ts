import { isJsonObject } from '../json-object.js';

type Value = unknown;

/** An answer for a person: a list as a table, anything else as one line a key. `--json` is for programs. */
export function render(answer: Readonly<Record<string, Value>>): string {
  const { items, next_cursor: cursor } = answer;
  if (!Array.isArray(items)) return lines(answer, '').join('\n');
  const table = items.length === 0 ? 'Nothing.' : tableOf(items);
  return typeof cursor === 'string' ? `${table}\nMore: --cursor ${cursor}` : table;
}

function lines(value: Readonly<Record<string, Value>>, prefix: string): string[] {
  return Object.entries(value).flatMap(([key, one]) =>
    isJsonObject(one) ? lines(one, `${prefix}${key}.`) : [`${prefix}${key}: ${cell(one)}`],
  );
}

/** Columns are the keys of the first item; what is null everywhere is left out. */
export function tableOf(items: readonly Value[]): string {
  const rows = items.map((item) => new Map(flat(isJsonObject(item) ? item : { value: item })));
  const keys = [...new Set(rows.flatMap((row) => [...row.keys()]))].filter((key) =>
    rows.some((row) => row.get(key) !== null),
  );
  const cells = [keys, ...rows.map((row) => keys.map((key) => cell(row.get(key) ?? null)))];
  const widths = keys.map((_key, column) => Math.max(...cells.map((row) => (row[column] ?? '').length)));
  return cells
    .map((row) =>
      row
        .map((text, column) => text.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

const flat = (value: Readonly<Record<string, Value>>, prefix = ''): [string, Value][] =>
  Object.entries(value).flatMap(([key, one]): [string, Value][] =>
    isJsonObject(one) ? flat(one, `${prefix}${key}.`) : [[`${prefix}${key}`, one]],
  );

/** Stored text is data: control characters, with which it could steer a terminal, are shown and not sent. */
export function cell(value: Value): string {
  if (value === null || value === undefined) return '-';
  const text = Array.isArray(value) ? value.map((one) => cell(one)).join(',') : String(value);
  return text.replaceAll(
    /[\p{Cc}\p{Cf}]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
