import { z } from 'zod';

/** A JSON Schema (2020-12) whose root is an object, as MCP clients and the models behind them take it. */
export interface PortableSchema {
  readonly type: 'object';
  readonly [keyword: string]: unknown;
}

/** One of these at the root makes the Anthropic API refuse every request of the session (anthropics/claude-code#5973). */
const UNPORTABLE_ROOT = ['oneOf', 'anyOf', 'allOf', '$ref', 'not', 'enum', 'const'];

type Node = Record<string, unknown>;

/** The schema of a tool's arguments: unknown keys are refused, so it says `additionalProperties: false`. */
export const argumentsSchema = (schema: z.ZodObject): PortableSchema => toPortable(schema, 'input', trim);

/** The schema of a tool's answer. It stays open: a newer server may add a key while a client still holds this list. */
export const answerSchema = (schema: z.ZodObject): PortableSchema =>
  toPortable(schema, 'output', (node) => {
    trim(node);
    if (node['additionalProperties'] === false) delete node['additionalProperties'];
  });

function toPortable(schema: z.ZodObject, io: 'input' | 'output', override: (node: Node) => void): PortableSchema {
  const {
    $schema: _dialect,
    type,
    ...rest
  } = z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema }) => override(jsonSchema as Node), // its type names the known keywords only
  });
  const unportable = UNPORTABLE_ROOT.find((keyword) => keyword in rest);
  if (type !== 'object' || unportable !== undefined) {
    throw new Error(`a tool schema must be a plain object at its root, not ${unportable ?? String(type)}`);
  }
  return { type: 'object', ...rest };
}

/** Drops what costs tokens and says nothing: the secret guard's mark, a date's 250-character pattern, a number's safe range. */
function trim(node: Node): void {
  delete node['freeText'];
  if (node['format'] === 'date-time' || node['format'] === 'date') delete node['pattern'];
  if (node['minimum'] === Number.MIN_SAFE_INTEGER) delete node['minimum'];
  if (node['maximum'] === Number.MAX_SAFE_INTEGER) delete node['maximum'];
}
