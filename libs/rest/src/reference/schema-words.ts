import { SHARED_OBJECT, ULID_PATTERN, type JsonSchema } from '@perdure/contracts';

/** An argument or a key of an answer, or a part of one, in words. */
export interface SchemaRow {
  /** `prs[].url` for a part of the items of a list. */
  readonly name: string;
  readonly type: string;
  /** The shared object that the type names; null when it names none. */
  readonly object: string | null;
  readonly limits: string;
  readonly required: boolean;
}

const DATE_PATTERN = String.raw`^\d{4}-\d{2}-\d{2}$`;

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const schemasIn = (value: unknown): readonly JsonSchema[] => (Array.isArray(value) ? value.filter(isSchema) : []);

/** Parts of an object by name; empty for anything else. */
const propertiesOf = (schema: JsonSchema): readonly (readonly [string, JsonSchema])[] =>
  Object.entries(isSchema(schema['properties']) ? schema['properties'] : {}).filter(
    (entry): entry is [string, JsonSchema] => isSchema(entry[1]),
  );

const itemsOf = (schema: JsonSchema): JsonSchema | undefined =>
  isSchema(schema['items']) ? schema['items'] : undefined;

/** Text, id, date, list of …: the type of a schema as a reader of the reference needs it. */
export function typeInWords(schema: JsonSchema): string {
  const name = schema[SHARED_OBJECT];
  if (typeof name === 'string') return name;
  const alternatives = schemasIn(schema['anyOf']);
  if (alternatives.length > 0) return alternatives.map(typeInWords).join(' or ');
  if (Array.isArray(schema['enum'])) return 'choice';
  const { type } = schema;
  if (Array.isArray(type)) return type.map((one: unknown) => typeInWords({ ...schema, type: one })).join(' or ');
  switch (type) {
    case 'string':
      return textInWords(schema);
    case 'array':
      return `list of ${typeInWords(itemsOf(schema) ?? {})}`;
    case 'object':
      return objectInWords(schema);
    case 'integer':
    case 'number':
    case 'boolean':
    case 'null':
      return type;
    default:
      return 'any value';
  }
}

function textInWords({ pattern, format }: JsonSchema): string {
  if (pattern === ULID_PATTERN.source) return 'id';
  if (pattern === DATE_PATTERN) return 'date';
  return format === 'date-time' ? 'instant' : 'text';
}

function objectInWords(schema: JsonSchema): string {
  const properties = propertiesOf(schema);
  if (properties.length > 0) return 'object';
  const values = schema['additionalProperties'];
  return isSchema(values) && Object.keys(values).length > 0 ? `map to ${typeInWords(values)}` : 'object';
}

/** What a value of this schema must keep to, beside its type; empty when nothing. */
export function limitsInWords(schema: JsonSchema): string {
  const alternatives = schemasIn(schema['anyOf']);
  const own = [...alternatives.map(limitsInWords), choices(schema), size(schema), pattern(schema)];
  const items = itemsOf(schema);
  const each = items === undefined || propertiesOf(items).length > 0 ? '' : limitsInWords(items);
  return [...own, each === '' ? '' : `each ${each}`].filter((part) => part !== '').join('; ');
}

const choices = (schema: JsonSchema): string => (Array.isArray(schema['enum']) ? schema['enum'].join(', ') : '');

function size(schema: JsonSchema): string {
  const { minLength, maxLength, minimum, maximum, minItems, maxItems } = schema;
  return [
    range(minLength, maxLength, 'characters'),
    range(minimum, maximum, ''),
    range(minItems, maxItems, 'entries'),
  ].join('');
}

function range(least: unknown, most: unknown, unit: string): string {
  const [from, to] = [least, most].map((value) => (typeof value === 'number' ? value.toLocaleString('en-GB') : ''));
  const words = [from, to].every((end) => end !== '') ? `${from} to ${to}` : oneEnd(from, to);
  return words === '' || unit === '' ? words : `${words} ${unit}`;
}

const oneEnd = (from = '', to = ''): string => (from === '' ? (to === '' ? '' : `at most ${to}`) : `at least ${from}`);

function pattern(schema: JsonSchema): string {
  const { pattern: expression } = schema;
  const isNamed = typeof expression !== 'string' || ['id', 'date'].includes(textInWords(schema));
  return isNamed ? '' : `matches ${expression}`;
}

/** The keys of an object, each followed by its parts; a shared object is not taken apart. */
export function schemaRows(schema: JsonSchema, prefix = ''): SchemaRow[] {
  const required: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : [];
  return propertiesOf(schema).flatMap(([key, property]) => {
    const name = `${prefix}${key}`;
    const row = {
      name,
      type: typeInWords(property),
      object: objectIn(property),
      limits: limitsInWords(property),
      required: required.includes(key),
    };
    return [row, ...partsOf(property, name)];
  });
}

function objectIn(schema: JsonSchema): string | null {
  const name = schema[SHARED_OBJECT];
  if (typeof name === 'string') return name;
  const inside = [...schemasIn(schema['anyOf']), ...schemasIn([schema['items']])];
  return inside.map(objectIn).find((found) => found !== null) ?? null;
}

function partsOf(schema: JsonSchema, name: string): SchemaRow[] {
  if (SHARED_OBJECT in schema) return [];
  const items = itemsOf(schema);
  if (items !== undefined) return partsOf(items, `${name}[]`);
  const alternatives = schemasIn(schema['anyOf']).flatMap((one) => partsOf(one, name));
  return [...schemaRows(schema, `${name}.`), ...alternatives];
}
