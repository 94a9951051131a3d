import type { ErrorBody } from '@perdure/contracts';
import type { TestApp } from '@perdure/testkit';
import type { Door, Outcome } from './doors.js';
import { jsonOf } from './raw-numbers.js';

interface Parameter {
  readonly $ref?: string;
  readonly name?: string;
  readonly in?: string;
}

interface Described {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
}

interface OpenApi {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { operationId: string; parameters: readonly Parameter[] }>>>
  >;
}

/**
 * REST as a stranger uses it: nothing is known but the OpenAPI document that the API serves. An `idempotency_key` goes
 * into its header. A stream of lines comes as `{ lines }`, a file as its name.
 *
 * @param tokenFor the credential that may run the operation
 */
export async function restDoor(api: TestApp, tokenFor: (operation: string) => string): Promise<Door> {
  const described = describedOperations((await (await fetch(`${api.url}/v1/openapi.json`)).json()) as OpenApi); // T2
  return {
    name: 'REST',
    call: async ({ name }, input) => {
      const operation = described.get(name);
      if (operation === undefined) throw new Error(`the OpenAPI document does not have ${name}`);
      const { url, init } = requestFor(operation, input as Readonly<Record<string, unknown>>); // what the tests send
      const headers = { ...init.headers, authorization: `Bearer ${tokenFor(name)}` };
      return outcomeOf(await fetch(`${api.url}${url}`, { ...init, headers }));
    },
  };
}

const describedOperations = ({ paths }: OpenApi): Map<string, Described> =>
  new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId, parameters }]) => [
        operationId,
        { method: method.toUpperCase(), path, parameters },
      ]),
    ),
  );

interface Prepared {
  readonly url: string;
  readonly init: { readonly method: string; readonly headers: Record<string, string>; readonly body?: string };
}

function requestFor({ method, path, parameters }: Described, input: Readonly<Record<string, unknown>>): Prepared {
  const { idempotency_key: key, ...given } = input;
  const headers: Record<string, string> = typeof key === 'string' ? { 'idempotency-key': key } : {};
  const inPath = parameters.filter((parameter) => parameter.in === 'path').map(({ name = '' }) => name);
  const url = inPath.reduce((filled, name) => {
    if (!(name in given)) throw new Error(`${method} ${path} cannot be asked without ${name}`);
    return filled.replace(`{${name}}`, encodeURIComponent(String(given[name])));
  }, path);
  const rest = Object.entries(given).filter(([name]) => !inPath.includes(name));
  if (method === 'GET') {
    const query = new URLSearchParams();
    for (const [name, value] of rest) for (const one of [value].flat()) query.append(name, String(one));
    return { url: `${url}?${query}`, init: { method, headers } };
  }
  const body = jsonOf(Object.fromEntries(rest));
  return { url, init: { method, headers: { ...headers, 'content-type': 'application/json' }, body } };
}

async function outcomeOf(response: Response): Promise<Outcome> {
  const text = await response.text();
  const { status } = response;
  const malformed = status >= 500 ? `status ${status}` : null;
  if (!response.ok) return { text, error: (JSON.parse(text) as { error: ErrorBody }).error, status, malformed }; // DESIGN §4
  const replayed = response.headers.get('idempotent-replayed') === 'true';
  const fileName = /filename="?([^";]+)"?/.exec(response.headers.get('content-disposition') ?? '')?.[1];
  if (fileName !== undefined) return { text, result: { file_name: fileName }, replayed, status, malformed };
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  return { text, result: isJson ? JSON.parse(text) : { lines: text }, replayed, status, malformed };
}
