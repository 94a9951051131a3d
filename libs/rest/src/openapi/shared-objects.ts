import { SHARED_OBJECT, type JsonSchema } from '@perdure/contracts';

/** `build_session` as the catalogue names an object is `BuildSession` among the components of a document. */
const componentName = (name: string): string =>
  name.replace(/(?:^|_)([a-z])/g, (_match, letter: string) => letter.toUpperCase());

/**
 * Puts a `$ref` in the place of every object that `answerJsonSchema` has marked and keeps the object itself, its own
 * objects replaced likewise, in `components`. Everything else is copied.
 */
export function extractObjects(schema: unknown, components: Map<string, JsonSchema>): unknown {
  if (Array.isArray(schema)) return schema.map((item) => extractObjects(item, components));
  if (typeof schema !== 'object' || schema === null) return schema;
  const { [SHARED_OBJECT]: mark, ...rest } = { [SHARED_OBJECT]: undefined, ...schema };
  const entries = Object.entries(rest).map(([key, value]) => [key, extractObjects(value, components)]);
  const copy: JsonSchema = Object.fromEntries(entries);
  if (typeof mark !== 'string') return copy;
  const name = componentName(mark);
  components.set(name, copy);
  return { $ref: `#/components/schemas/${name}` };
}
