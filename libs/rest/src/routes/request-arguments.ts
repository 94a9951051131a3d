import { argumentsJsonSchema, type JsonSchema, type OperationContract } from '@perdure/contracts';
import { shownName } from '@perdure/guard';
import type { Request } from 'express';
import { invalidFields } from './invalid-fields.js';
import { readQueryString } from './query-string.js';
import { readValues } from './read-text.js';

type Arguments = Readonly<Record<string, unknown>>;

/**
 * How the arguments of one operation are read off a request: path and query string for GET, path and JSON body for the
 * rest. Built once per operation, because its schema is computed here.
 *
 * @returns a reader that throws DomainError `invalid_input`: two values for one argument, a query string beside a body
 */
export function argumentReader({ route, input }: OperationContract): (request: Request) => Arguments {
  const schemas = new Map(Object.entries(propertiesOf(argumentsJsonSchema(input))));
  const typed = (name: string, texts: readonly string[]) => readValues(texts, schemas.get(name) ?? {});
  const fromPath = (request: Request): Arguments =>
    Object.fromEntries(Object.entries(request.params).map(([name, text]) => [name, typed(name, [text].flat())]));
  if (route.method === 'GET') {
    const fromQuery = (request: Request): Arguments =>
      Object.fromEntries([...readQueryString(request.url)].map(([name, texts]) => [name, typed(name, texts)]));
    return (request) => merged(fromPath(request), fromQuery(request));
  }
  return (request) => {
    refuseQuery(request.url);
    return merged(fromPath(request), bodyOf(request));
  };
}

/**
 * The arguments of a call whose body is lines: path and query string. The key of a batch may also be the Idempotency-Key,
 * which says the same there.
 */
export function lineArgumentReader(contract: OperationContract): (request: Request) => Arguments {
  const { lines } = contract.route;
  if (lines === undefined) throw new Error(`${contract.name} takes no lines`);
  const read = argumentReader({ ...contract, route: { ...contract.route, method: 'GET' } });
  return (request) => {
    const key = request.get('idempotency-key');
    return { ...(key === undefined ? {} : { [lines.keyArgument]: key }), ...read(request), [lines.argument]: [] };
  };
}

const propertiesOf = (schema: JsonSchema) => (schema['properties'] ?? {}) as Record<string, JsonSchema>; // what JSON Schema says this keyword holds

/** True for a request without any body: writes whose arguments all stand in the path need none. */
export const isWithoutBody = ({ headers }: Request): boolean =>
  headers['content-type'] === undefined &&
  headers['transfer-encoding'] === undefined &&
  (headers['content-length'] ?? '0') === '0';

function bodyOf({ body }: { body?: unknown }): Arguments {
  if (body === undefined) return {};
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalidFields([{ path: '', message: 'must be an object' }]);
  }
  return { ...body };
}

/** An argument may be said twice, in the path and beside it, but only the same. */
function merged(path: Arguments, rest: Arguments): Arguments {
  const contradicted = Object.keys(path).filter((name) => Object.hasOwn(rest, name) && rest[name] !== path[name]);
  if (contradicted.length === 0) return { ...rest, ...path };
  throw invalidFields(contradicted.map((name) => ({ path: name, message: 'differs from the one in the path' })));
}

function refuseQuery(url: string): void {
  const keys = [...readQueryString(url).keys()];
  if (keys.length === 0) return;
  throw invalidFields(
    keys.map((key) => ({ path: shownName(key), message: 'is not taken from the query string here: use the body' })),
  );
}
