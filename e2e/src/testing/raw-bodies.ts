import { request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { ERROR_KINDS, type ErrorBody } from '@perdure/contracts';
import type { BadInputCase } from './bad-input-cases.js';

/** Where a raw body is sent. */
export interface RawDoor {
  readonly name: 'MCP' | 'tRPC' | 'REST';
  readonly url: string;
  readonly token: string;
}

interface RawAnswer {
  readonly status: number;
  readonly text: string;
}

type BodyCase = BadInputCase & {
  readonly raw_body_base64?: string;
  readonly raw_gen?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string | null>>;
};

/** What is wrong with the answer to a raw body; an empty list when nothing is. */
export async function bodyFaults(door: RawDoor, badCase: BodyCase): Promise<string[]> {
  const { http, mcp, kind, names, result } = badCase.expect;
  const answer = await send(door, bytesFor(door, badCase), badCase.headers ?? {});
  const { code, error } = refusalIn(door, answer);
  const faults: string[] = [];
  const check = (holds: boolean, fault: string) => void (holds || faults.push(`${door.name}: ${fault}`));
  check(answer.status < 500, `status ${answer.status}`);
  check(!/\\n\s+at |node_modules|<html/i.test(answer.text), 'a stack or HTML');
  if (result !== 'refused') return faults;
  const inProtocol = door.name === 'MCP' && answer.status === 200;
  const statuses = http === undefined ? Object.values(ERROR_KINDS).filter((status) => status < 500) : [http].flat();
  check(inProtocol || statuses.includes(answer.status), `status ${answer.status}`);
  check(error !== undefined, `no refusal: ${answer.text.slice(0, 80)}`);
  check(door.name !== 'MCP' || mcp === undefined || [mcp].flat().includes(Number(code)), `JSON-RPC code ${code}`);
  check(kind === undefined || [kind].flat().includes(error?.kind ?? ''), `kind ${error?.kind}`);
  check(names === undefined || error?.message.includes(names) === true, `does not name ${names}: ${error?.message}`);
  return faults;
}

/** As it stands; where an argument must be named it becomes the arguments of a call, which is where MCP has them. */
function bytesFor({ name }: RawDoor, badCase: BodyCase): Buffer {
  const bytes =
    badCase.raw_gen === undefined ? Buffer.from(badCase.raw_body_base64 ?? '', 'base64') : grown(badCase.raw_gen);
  if (name !== 'MCP' || badCase.expect.names === undefined) return bytes;
  const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"append_decision_log","arguments":`;
  return Buffer.from(`${call}${bytes.toString()}}}`);
}

function grown(generator: Readonly<Record<string, unknown>>): Buffer {
  const [[name, argument] = ['', undefined]] = Object.entries(generator);
  if (name === 'gzip') return gzipSync(grown(argument as Record<string, unknown>)); // README of the cases, as below
  if (name === 'object_keys') {
    const keys = Array.from({ length: Number(argument) }, (_, index) => [`k${index}`, 1]);
    return Buffer.from(JSON.stringify(Object.fromEntries(keys)));
  }
  if (name === 'nest') {
    const [open, close, depth] = argument as [string, string, number]; // README of the cases
    return Buffer.from(`${open.repeat(depth)}${open.endsWith(':') ? '1' : ''}${close.repeat(depth)}`);
  }
  if (name !== 'repeat') throw new Error(`nobody can make a body by ${name} yet`);
  const [text, times] = argument as [string, number]; // README of the cases
  return Buffer.from(text.repeat(times));
}

function send({ url, token }: RawDoor, bytes: Buffer, overrides: BodyCase['headers'] & object): Promise<RawAnswer> {
  const headers = Object.entries({
    authorization: `Bearer ${token}`,
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
    'content-length': String(bytes.length),
    ...overrides,
  }).flatMap(([name, value]) => (value === null ? [] : [[name, value]]));
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers: Object.fromEntries(headers) as Record<string, string> }); // as mapped
    let answered = false;
    // A server may answer and hang up before it has read a body that is too large.
    sent.once('error', (error) => void (answered || reject(error)));
    sent.once('response', (response) => {
      answered = true;
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.once('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    sent.end(bytes);
  });
}

interface Refusal {
  readonly code?: number | undefined;
  readonly error?: ErrorBody | undefined;
}

/** Wherever the transport puts it: REST's body, a JSON-RPC error's data, a tool's `_meta`, tRPC's `data.perdure`. */
function refusalIn({ name }: RawDoor, { text }: RawAnswer): Refusal {
  if (name === 'REST') return { error: (parsed(text) as Refusal).error }; // DESIGN §4
  // Each may be missing, and is then told as no refusal.
  const body = parsed(text) as {
    error?: { code?: number; data?: ErrorBody & { perdure?: ErrorBody } };
    result?: { _meta?: Record<string, ErrorBody> };
  };
  const data = body.error?.data;
  const error = name === 'tRPC' ? data?.perdure : (data ?? body.result?._meta?.['dev.perdure/error']);
  return { code: body.error?.code, error };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
