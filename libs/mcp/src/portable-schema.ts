import { answerJsonSchema, argumentsJsonSchema, type JsonSchema } from '@perdure/contracts';
import type { z } from 'zod';

/** A JSON Schema (2020-12) whose root is an object, as MCP clients and the models behind them take it. */
export interface PortableSchema {
  readonly type: 'object';
  readonly [keyword: string]: unknown;
}

/** One of these at the root makes the Anthropic API refuse every request of the session (anthropics/claude-code#5973). */
const UNPORTABLE_ROOT = ['oneOf', 'anyOf', 'allOf', '$ref', 'not', 'enum', 'const'];

/** The schema of a tool's arguments. */
export const argumentsSchema = (schema: z.ZodObject): PortableSchema => toPortable(argumentsJsonSchema(schema));

/** The schema of a tool's answer. */
export const answerSchema = (schema: z.ZodObject): PortableSchema => toPortable(answerJsonSchema(schema));

function toPortable({ type, ...rest }: JsonSchema): PortableSchema {
  const unportable = UNPORTABLE_ROOT.find((keyword) => keyword in rest);
  if (type !== 'object' || unportable !== undefined) {
    throw new Error(`a tool schema must be a plain object at its root, not ${unportable ?? String(type)}`);
  }
  return { type: 'object', ...rest };
}
