import { allOperations, ERROR_CODES, ERROR_KINDS, operationExamples, type ErrorCode } from '@perdure/contracts';
import { openApiDocument } from './openapi-document.js';

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly schema: object;
  readonly example?: unknown;
}

interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: { readonly 'application/json': { readonly schema: Schema; readonly example: object } };
  };
  readonly responses: Readonly<Record<string, { readonly content: object; readonly 'x-perdure-codes'?: ErrorCode[] }>>;
  readonly 'x-perdure-scope': string;
}

interface Schema {
  readonly properties: Readonly<Record<string, unknown>>;
  readonly required: readonly string[];
}

interface Document {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

// As a client gets it.
const document: Document = JSON.parse(JSON.stringify(openApiDocument('1.2.3')));

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

const rows = allOperations.map((contract) => {
  const found = operations.find(({ operation }) => operation.operationId === contract.name);
  if (found === undefined) throw new Error(`${contract.name} is not described`);
  return [contract.name, contract, found] as const;
});

/** Every object and array in a document, with the way to it. */
function nodesOf(value: unknown, path = '#'): [string, Record<string, unknown>][] {
  if (typeof value !== 'object' || value === null) return [];
  const own: [string, Record<string, unknown>] = [path, value as Record<string, unknown>]; // an object is one
  return [own, ...Object.entries(value).flatMap(([key, child]) => nodesOf(child, `${path}/${key}`))];
}

const nodes = nodesOf(document);

test('T2: is OpenAPI 3.1 of the version it is asked for', () => {
  expect([document.openapi, document.info.title, document.info.version]).toEqual(['3.1.0', 'Perdure', '1.2.3']);
});

test('T2: every operation is there once, under a declared tag', () => {
  const ids = operations.map(({ operation }) => operation.operationId);
  expect(ids.toSorted()).toEqual(allOperations.map(({ name }) => name).toSorted());
  const tags = new Set(document.tags.map(({ name }) => name));
  expect(operations.filter(({ operation }) => !operation.tags.every((tag) => tags.has(tag)))).toEqual([]);
});

test('T2: every $ref leads to something, and every component is used', () => {
  const refs = nodes.flatMap(([, node]) => (typeof node['$ref'] === 'string' ? [node['$ref']] : []));
  const places = new Set(nodes.map(([path]) => path));
  expect(refs.filter((ref) => !places.has(ref))).toEqual([]);
  const unused = Object.keys(document.components.schemas).filter(
    (name) => !refs.includes(`#/components/schemas/${name}`),
  );
  expect(unused).toEqual([]);
  expect(Object.keys(document.components.schemas)).toEqual(expect.arrayContaining(['BuildSession', 'Decision', 'Pr']));
});

test('T2: nothing of the inside shows: no mark of the secret guard, no name of a shared object', () => {
  expect(nodes.filter(([, node]) => 'freeText' in node || 'x-perdure-object' in node)).toEqual([]);
});

test.each(rows)(
  'T2: %s declares each of its arguments once',
  (_name, { input, kind, route }, { path, method, operation }) => {
    expect([path, method.toUpperCase()]).toEqual([route.path, route.method]);
    const own = operation.parameters.filter(({ $ref }) => $ref === undefined);
    const inTemplate = [...path.matchAll(/\{([a-z_]+)\}/g)].map(([, name]) => name);
    expect(own.filter((parameter) => parameter.in === 'path').map(({ name }) => name)).toEqual(inTemplate);
    expect(own.filter((parameter) => parameter.in === 'path' && !parameter.required)).toEqual([]);
    const inBody = Object.keys(operation.requestBody?.content['application/json'].schema.properties ?? {});
    expect([...own.map(({ name }) => name), ...inBody].toSorted()).toEqual(Object.keys(input.shape).toSorted());
    const key = operation.parameters.filter(({ $ref }) => $ref === '#/components/parameters/IdempotencyKey');
    expect(key).toHaveLength(kind === 'mutation' ? 1 : 0);
    expect(own.filter(({ schema }) => typeof schema !== 'object')).toEqual([]);
  },
);

test.each(rows)('T2: %s says which arguments a call needs', (_name, { input }, { operation }) => {
  const inBody = operation.requestBody?.content['application/json'].schema.required ?? [];
  const beside = operation.parameters.filter(({ required }) => required).map(({ name }) => name);
  const needed = Object.entries(input.shape).filter(([, schema]) => schema.safeParse(undefined).success === false);
  expect([...beside, ...inBody].toSorted()).toEqual(needed.map(([name]) => name).toSorted());
  expect(operation.requestBody?.required ?? false).toBe(inBody.length > 0);
});

test.each(rows)(
  'I5: %s names its scope, and every code under the status of its kind',
  (_name, contract, { operation }) => {
    expect(operation['x-perdure-scope']).toBe(contract.scope);
    const codes = Object.entries(operation.responses).flatMap(([status, { 'x-perdure-codes': listed = [] }]) =>
      listed.map((code) => [code, Number(status)] as const),
    );
    for (const [code, status] of codes) expect([code, status]).toEqual([code, ERROR_KINDS[ERROR_CODES[code].kind]]);
    expect(codes.map(([code]) => code)).toEqual(
      expect.arrayContaining(['invalid_input', 'unauthenticated', 'internal', ...contract.errors]),
    );
  },
);

test.each(rows)('S1: %s has the success statuses that its route can answer with', (_name, { route }, { operation }) => {
  const successes = Object.keys(operation.responses).filter((status) => status.startsWith('2'));
  const expected =
    route.accepted === true
      ? ['202']
      : route.creates === undefined
        ? ['200']
        : route.creates.length === 0
          ? ['201']
          : ['200', '201'];
  expect(successes).toEqual(expected);
});

test.each(rows)('T2: %s shows an example call', (name, _contract, { operation }) => {
  const shown = operation.parameters.flatMap((parameter) =>
    parameter.example === undefined ? [] : [[parameter.name, parameter.example]],
  );
  const example = operation.requestBody?.content['application/json'].example ?? {};
  const input = operationExamples.find((one) => one.operation === name)?.input;
  expect({ ...example, ...Object.fromEntries(shown) }).toEqual(input);
});
