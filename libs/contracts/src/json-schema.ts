import { z } from 'zod';

/** A JSON Schema of draft 2020-12, which is also the dialect of OpenAPI 3.1 and of MCP. */
export type JsonSchema = Readonly<Record<string, unknown>>;

type Node = Record<string, unknown>;

/** Keyword under which `answerJsonSchema` leaves the name of a shared object. */
export const SHARED_OBJECT = 'x-perdure-object';

/** The schema of an operation's arguments: unknown keys are refused, so it says `additionalProperties: false`. */
export const argumentsJsonSchema = (schema: z.ZodObject): JsonSchema => toJsonSchema(schema, 'input', trim);

/**
 * The schema of an answer. It stays open: a newer server may add a key while a client still holds this schema.
 * @param nameOf marks the objects that it names with SHARED_OBJECT, for documents that describe each once
 */
export const answerJsonSchema = (
  schema: z.ZodObject,
  nameOf: (schema: unknown) => string | undefined = () => undefined,
): JsonSchema =>
  toJsonSchema(schema, 'output', (node, of) => {
    trim(node);
    if (node['additionalProperties'] === false) delete node['additionalProperties'];
    const name = nameOf(of);
    if (name !== undefined) node[SHARED_OBJECT] = name;
  });

function toJsonSchema(schema: z.ZodObject, io: 'input' | 'output', adjust: (node: Node, of: unknown) => void) {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema, zodSchema }) => adjust(jsonSchema as Node, zodSchema), // its type names the known keywords only
  });
  return rest;
}

/** Drops what costs tokens and says nothing: the secret guard's mark, a date's 250-character pattern, a number's safe range. */
function trim(node: Node): void {
  delete node['freeText'];
  if (node['format'] === 'date-time' || node['format'] === 'date') delete node['pattern'];
  if (node['minimum'] === Number.MIN_SAFE_INTEGER) delete node['minimum'];
  if (node['maximum'] === Number.MAX_SAFE_INTEGER) delete node['maximum'];
  nameKeys(node);
}

/** A record over a list of names is required to hold each: said as properties, which every reader of schemas knows. */
function nameKeys(node: Node): void {
  const { propertyNames, additionalProperties: value } = node;
  if (!isNode(propertyNames) || !isNode(value) || !Array.isArray(propertyNames['enum'])) return;
  node['properties'] = Object.fromEntries(propertyNames['enum'].map((name: unknown) => [String(name), value]));
  node['additionalProperties'] = false;
  delete node['propertyNames'];
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);
