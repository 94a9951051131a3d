import { readFileSync } from 'node:fs';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import path from 'node:path';

type Values = Readonly<Record<string, string>>;

interface Expectation {
  readonly status: number | readonly number[];
  readonly content_type?: string | readonly string[];
  readonly headers?: Values;
  readonly jsonrpc_error?: number | null;
  readonly id?: null;
  readonly no_stack?: boolean;
  readonly body?: string;
}

/** A fault seen in the field and the right answer to it: cases/mcp/README.md says what each key means. */
export interface RequestCase {
  readonly id: string;
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly headers: Values;
    readonly body?: unknown;
    readonly body_text?: string;
  };
  readonly expect: Expectation;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

const FILE = path.join(__dirname, '..', '..', '..', 'cases', 'mcp', 'cases.json');

export function requestCases(): RequestCase[] {
  const cases = JSON.parse(readFileSync(FILE, 'utf8')) as (RequestCase | { scenario: string[] })[]; // a file of ours
  return cases.filter((one): one is RequestCase => 'request' in one);
}

/** Sends a case as it stands, `Host` included; `$NAME` in a header or the path is the value of that name. */
export function sendCase(baseUrl: string, { request }: RequestCase, values: Values): Promise<Answer> {
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, text]) => [name, filled(text, values)]),
  );
  return new Promise((resolve, reject) => {
    const sent = httpRequest(`${baseUrl}${filled(request.path, values)}`, { method: request.method, headers });
    sent.once('error', reject);
    sent.once('response', (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.once('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
    });
    sent.end(bodyOf(request, values));
  });
}

const filled = (text: string, values: Values): string =>
  text.replace(/\$([A-Z_]+)/g, (_all, name: string) => values[name] ?? '');

function bodyOf({ body, body_text }: RequestCase['request'], values: Values): string {
  if (body_text !== undefined) return body_text;
  if (body === undefined) return '';
  if (typeof body !== 'object' || body === null || !('gen' in body)) return JSON.stringify(body);
  const { tools_call: name, ...generated } = body.gen as Record<string, unknown>; // README: a legacy tools/call
  const texts = Object.entries(generated).map(([key, value]) => [key, repeated(value)]);
  const args = { build_session_id: values['SESSION'], ...Object.fromEntries(texts) };
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } });
}

function repeated(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('repeat' in value)) return value;
  const [text, times] = value.repeat as [string, number]; // README of the cases
  return text.repeat(times);
}

/** What is wrong with an answer; an empty list when nothing is. */
export function faultsOf(answer: Answer, expected: Expectation, values: Values): string[] {
  const faults: string[] = [];
  const check = (holds: boolean, fault: string) => void (holds || faults.push(fault));
  check([expected.status].flat().includes(answer.status), `status ${answer.status}`);
  const type = answer.headers['content-type'] ?? '';
  const types = [expected.content_type ?? []].flat();
  check(types.length === 0 || types.some((one) => type.startsWith(one)), `content-type ${type}`);
  for (const [name, pattern] of Object.entries(expected.headers ?? {})) {
    const value = String(answer.headers[name] ?? '');
    check(patternOf(pattern, values).test(value), `${name}: ${value}`);
  }
  if (expected.jsonrpc_error !== undefined) {
    const { error, id } = JSON.parse(answer.text) as { error?: { code?: number }; id?: unknown }; // checked right below
    const code = error?.code;
    check(typeof code === 'number' && (expected.jsonrpc_error ?? code) === code, `error code ${code}`);
    check(!('id' in expected) || id === expected.id, `id ${JSON.stringify(id)}`);
  }
  check(
    !expected.no_stack || !/node_modules|\.[cm]?[jt]s:\d|\n\s+at |<html|<!doctype/i.test(answer.text),
    'a stack or HTML',
  );
  check(expected.body === undefined || answer.text === expected.body, `body ${answer.text.slice(0, 80)}`);
  return faults;
}

function patternOf(pattern: string, values: Values): RegExp {
  const text = pattern.startsWith('(?i)') ? pattern.slice(4) : pattern;
  const literal = Object.entries(values).map(([name, value]) => [name, value.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')]);
  const source = filled(text, Object.fromEntries(literal));
  return new RegExp(source, pattern.startsWith('(?i)') ? 'i' : '');
}
