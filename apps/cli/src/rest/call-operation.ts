import type { ErrorBody, OperationContract } from '@perdure/contracts';
import { CommandFailure, EXIT, statusOf } from '../exit-status.js';
import type { ServerAddress } from './server-address.js';

export type Arguments = Readonly<Record<string, unknown>>;

export interface Answer {
  readonly output: Readonly<Record<string, unknown>> | null;
  /** A file instead of an answer: its name and its bytes as they come. */
  readonly file: { readonly name: string; readonly bytes: ReadableStream<Uint8Array> } | null;
  readonly replayed: boolean;
}

export interface Call {
  readonly contract: OperationContract;
  readonly input: Arguments;
  readonly idempotencyKey: string | undefined;
  /** Longest wait for the answer; default: none. */
  readonly timeoutMs?: number;
}

/** Calls one operation over REST. @throws CommandFailure with the status of the refusal */
export async function callOperation(server: ServerAddress, call: Call): Promise<Answer> {
  const response = await send(server, call);
  const replayed = response.headers.get('idempotent-replayed') === 'true';
  const name = /filename="?([^";]+)"?/.exec(response.headers.get('content-disposition') ?? '')?.[1];
  if (name !== undefined && response.body !== null)
    return { output: null, file: { name, bytes: response.body }, replayed };
  return { output: await objectOf(response), file: null, replayed };
}

async function send(server: ServerAddress, { contract, input, idempotencyKey, timeoutMs }: Call): Promise<Response> {
  const { method, path } = contract.route;
  const inPath = [...path.matchAll(/\{([a-z_]+)\}/g)].map(([, name = '']) => name);
  const address = inPath.reduce(
    (filled, name) => filled.replace(`{${name}}`, encodeURIComponent(String(input[name]))),
    path,
  );
  const rest = Object.entries(input).filter(([name]) => !inPath.includes(name));
  const query = new URLSearchParams();
  if (method === 'GET')
    for (const [name, value] of rest) for (const one of [value].flat()) query.append(name, String(one));
  const headers = {
    ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
    ...(method === 'GET' ? {} : { 'content-type': 'application/json' }),
  };
  const body = method === 'GET' ? null : JSON.stringify(Object.fromEntries(rest));
  const signal = timeoutMs === undefined ? null : AbortSignal.timeout(timeoutMs);
  return requested(server, `${address}${query.size === 0 ? '' : `?${query}`}`, { method, headers, body, signal });
}

interface HttpRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer> | null;
  readonly signal: AbortSignal | null;
}

/** What the server answers when it takes a request. @throws CommandFailure as it refuses, or when it is away */
export async function requested(
  { url, token }: ServerAddress,
  address: string,
  request: HttpRequest,
): Promise<Response> {
  const headers = { ...request.headers, authorization: `Bearer ${token}` };
  const response = await fetch(`${url}${address}`, { ...request, headers }).catch((error: unknown) => {
    throw new CommandFailure(EXIT.unreachable, `${url} was not reached: ${reasonOf(error)}.`);
  });
  if (!response.ok) throw await failureOf(response);
  return response;
}

/** A proxy before the server may answer 200 with a page of its own. */
export async function objectOf(response: Response): Promise<Readonly<Record<string, unknown>>> {
  const text = await response.text().catch((error: unknown) => {
    throw new CommandFailure(EXIT.unreachable, `${response.url} did not finish its answer: ${reasonOf(error)}.`);
  });
  try {
    const output: Record<string, unknown> = JSON.parse(text);
    return output;
  } catch {
    throw new CommandFailure(EXIT.unreachable, `${response.url} answered, but not as Perdure does. Is the url right?`);
  }
}

/** What stands between us and the server may answer in its stead, with no error of ours. */
async function failureOf(response: Response): Promise<CommandFailure> {
  const text = await response.text();
  try {
    const { error }: { error: ErrorBody } = JSON.parse(text);
    return new CommandFailure(statusOf(error.kind), `${error.code}: ${error.message}\n${error.hint}`);
  } catch {
    const status = response.status >= 500 ? EXIT.unreachable : EXIT.refused;
    return new CommandFailure(status, `The server answered ${response.status}, and not as Perdure does.`);
  }
}

/** `fetch` says "fetch failed"; its cause says why. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return String(cause);
  return cause.message === '' && 'code' in cause ? String(cause.code) : cause.message;
}
