import type { OperationContract } from '@perdure/contracts';
import { pathParameters } from '../routes/route-table.js';

export interface ExampleRequest {
  readonly method: string;
  /** With its parameters and its query string filled in. */
  readonly path: string;
  /** Null where there is nothing to say in one. */
  readonly body: Readonly<Record<string, unknown>> | null;
}

/** The REST request that says these arguments. */
export function exampleRequest({ route }: OperationContract, input: Readonly<Record<string, unknown>>): ExampleRequest {
  const inPath = pathParameters(route.path);
  const path = inPath.reduce<string>(
    (filled, name) => filled.replace(`{${name}}`, encodeURIComponent(String(input[name]))),
    route.path,
  );
  const rest = Object.entries(input).filter(([name]) => !inPath.includes(name));
  if (route.method === 'GET') return { method: route.method, path: `${path}${queryString(rest)}`, body: null };
  return { method: route.method, path, body: rest.length === 0 ? null : Object.fromEntries(rest) };
}

function queryString(entries: readonly (readonly [string, unknown])[]): string {
  const pairs = new URLSearchParams();
  for (const [name, value] of entries) for (const one of [value].flat()) pairs.append(name, String(one));
  return pairs.size === 0 ? '' : `?${pairs.toString()}`;
}
