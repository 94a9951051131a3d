interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly pattern?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly [keyword: string]: unknown;
}

const ULID = '01K5ZQ8W3M9X7B2C4D6E8F0G1H';

/** A value that fits a schema of ours, with every property present; enough of JSON Schema for the catalogue's answers. */
export function exampleOf(schema: Schema): unknown {
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf?.[0]) return exampleOf(schema.anyOf[0]);
  const type = typeof schema.type === 'string' ? schema.type : schema.type?.[0];
  if (type === 'object') {
    const properties = Object.entries(schema.properties ?? {});
    return Object.fromEntries(properties.map(([key, value]) => [key, exampleOf(value)]));
  }
  if (type === 'array') return schema.items ? [exampleOf(schema.items)] : [];
  if (type === 'integer' || type === 'number') return schema.minimum ?? 1;
  if (type === 'boolean') return true;
  return exampleText(schema);
}

function exampleText({ format, pattern }: Schema): string {
  if (format === 'date-time') return '2026-11-30T12:00:00.000Z';
  if (pattern === undefined) return 'text';
  return (
    [ULID, '2026-11-30', 'a-slug', 'a'.repeat(40), 'a'.repeat(64)].find((text) => new RegExp(pattern).test(text)) ??
    'text'
  );
}
