import { catalogue } from '@perdure/contracts';
import type { Terminal } from '../admin/operation-command.js';
import { cell, tableOf } from '../admin/render.js';
import { CommandFailure, EXIT } from '../exit-status.js';
import { isJsonObject, type JsonObject } from '../json-object.js';
import { serverOf } from '../place/place.js';
import { readSettings } from '../place/settings.js';
import { callOperation, type Arguments } from '../rest/call-operation.js';

export const GROUPS = ['project', 'actor', 'model', 'client', 'day', 'build_session'] as const;

export interface SummaryOptions {
  readonly from?: string;
  readonly to?: string;
  readonly timezone?: string;
  readonly by: readonly (typeof GROUPS)[number][];
  readonly children: boolean;
  readonly json?: boolean;
}

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;
const BAR_WIDTH = 24;
const TOKENS = [
  ['input_tokens', 'input'],
  ['output_tokens', 'output'],
  ['cache_write_5m_tokens', 'write 5m'],
  ['cache_write_1h_tokens', 'write 1h'],
  ['cache_read_tokens', 'cache read'],
] as const;

/** `perdure usage summary`. @throws CommandFailure as the server refuses, or when it is away */
export async function showSummary(options: SummaryOptions, terminal: Terminal): Promise<void> {
  const settings = await readSettings(terminal.cwd(), terminal.env);
  const server = serverOf(settings, settings.token);
  if (server === null) throw new CommandFailure(EXIT.usage, 'Not set: PERDURE_URL and PERDURE_TOKEN.');
  const call = { contract: catalogue.usage.summariseUsage, input: argumentsOf(options), idempotencyKey: undefined };
  const answer = (await callOperation(server, call)).output ?? {};
  if (options.json === true) terminal.stdout.write(`${JSON.stringify(answer, null, 2)}\n`);
  else terminal.stdout.write(`${summaryOf(answer, options.by)}\n`);
}

function argumentsOf({ from, to, timezone, by, children }: SummaryOptions): Arguments {
  const last = to ?? today(timezone);
  const first = from ?? new Date(Date.parse(last) - (DEFAULT_DAYS - 1) * DAY_MS).toISOString().slice(0, 10);
  const zone = timezone === undefined ? {} : { timezone };
  return { from: first, to: last, group_by: by, include_children: children, ...zone };
}

/** `sv-SE` writes a date as ISO 8601 does. @throws CommandFailure for a zone that is none */
function today(timeZone = 'UTC'): string {
  try {
    return new Intl.DateTimeFormat('sv-SE', { timeZone }).format(new Date());
  } catch {
    throw new CommandFailure(EXIT.usage, `${timeZone} is no IANA time zone, such as Europe/Berlin.`);
  }
}

/** A row for each group with its tokens, and a bar as long as its share of the longest. */
function summaryOf({ rows, totals }: JsonObject, groups: readonly string[]): string {
  const list = Array.isArray(rows) ? rows.filter(isJsonObject) : [];
  if (list.length === 0) return 'No usage was reported.';
  const most = Math.max(1, ...list.map(tokensIn));
  const lines = list.map((row) => ({
    ...Object.fromEntries(groups.map((group) => [group, nameOf(row[group])])),
    ...columnsOf(row),
    ' ': '█'.repeat(Math.ceil((tokensIn(row) * BAR_WIDTH) / most)),
  }));
  const [first = '', ...others] = groups;
  const sum = {
    [first]: 'total',
    ...Object.fromEntries(others.map((group) => [group, ''])),
    ...columnsOf(isJsonObject(totals) ? totals : {}),
    ' ': '',
  };
  return tableOf([...lines, sum]);
}

const countIn = (row: JsonObject, name: string): number => Number(row[name] ?? 0);

const tokensIn = (row: JsonObject): number => TOKENS.reduce((sum, [name]) => sum + countIn(row, name), 0);

/** Counts with a blank for each thousand; a sum with estimates in it says so (U7). */
function columnsOf(row: JsonObject): Record<string, string> {
  const shown = (count: number) => String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ' ');
  return {
    turns: shown(countIn(row, 'turns')),
    ...Object.fromEntries(TOKENS.map(([name, title]) => [title, shown(countIn(row, name))])),
    tokens: `${shown(tokensIn(row))}${row['estimated'] === true ? ' ~' : ''}`,
  };
}

/** What a group is called: a name where it has one. */
function nameOf(value: unknown): string {
  if (!isJsonObject(value)) return cell(value);
  return cell(value['slug'] ?? value['name'] ?? value['id']);
}
