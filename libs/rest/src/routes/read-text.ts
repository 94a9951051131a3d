import type { JsonSchema } from '@perdure/contracts';

/** A number as JSON writes it (RFC 8259 section 6): `007`, `+1` and ` 1` are none and stay text. */
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null;

/** The JSON types that a schema of ours takes, alternatives included. */
function typesOf(schema: JsonSchema): unknown[] {
  const { type, anyOf } = schema;
  if (Array.isArray(anyOf)) return anyOf.filter(isSchema).flatMap(typesOf);
  return Array.isArray(type) ? type : [type];
}

/**
 * The values of one key of a query string, or of a path, as the type that its argument has. What is no such text is
 * passed on as it is, so that the dispatcher refuses it by name; a key given twice is a list for the same reason.
 */
export function readValues(texts: readonly string[], schema: JsonSchema): unknown {
  const types = typesOf(schema);
  if (types.includes('array')) {
    const items = isSchema(schema['items']) ? schema['items'] : {};
    return texts.map((text) => readText(text, typesOf(items)));
  }
  const [text = '', ...more] = texts;
  return more.length === 0 ? readText(text, types) : texts;
}

function readText(text: string, types: readonly unknown[]): unknown {
  const isNumber = types.includes('integer') || types.includes('number');
  if (isNumber && JSON_NUMBER.test(text)) return Number(text);
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}
