import { allOperations, codePointLength, type OperationContract } from '@perdure/contracts';
import { z } from 'zod';
import { validInputHolding, withValue } from './bad-input-attempts.js';
import type { Fixture } from './call-fixture.js';
import type { Arguments } from './valid-arguments.js';

/** A text field that the catalogue marks, in a call that is valid but for the text put there. */
export interface SecretField {
  readonly contract: OperationContract;
  /** `prs.0.title`; a key of attributes is `attributes.*`. */
  readonly name: string;
  /** Whether the field's own limits leave room for the text. */
  readonly fits: (text: string) => boolean;
  readonly withText: (text: string) => Arguments;
}

interface Node {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly items?: Node;
  readonly propertyNames?: Node;
  readonly additionalProperties?: Node;
  readonly anyOf?: readonly Node[];
  readonly maxLength?: number;
  readonly freeText?: boolean;
}

interface Place {
  readonly path: readonly string[];
  /** The text becomes a key of the object there instead of its value. */
  readonly asKey: boolean;
  readonly max: number;
}

/** Every marked field of every operation. Nothing is written by a refusal, so that one input serves all texts. */
export async function secretFields(fixture: Fixture): Promise<SecretField[]> {
  const fields: SecretField[] = [];
  for (const contract of allOperations) {
    const schema = z.toJSONSchema(contract.input, { io: 'input', unrepresentable: 'any' }) as Node; // what zod writes
    for (const place of placesIn(schema, [])) fields.push(await fieldAt(contract, place, fixture));
  }
  return fields;
}

async function fieldAt(
  contract: OperationContract,
  { path, asKey, max }: Place,
  fixture: Fixture,
): Promise<SecretField> {
  const valid = await validInputHolding(contract, fixture, path);
  // Forms of their own, which a text is refused for before it is looked at.
  const oneLine = path.at(-1) === 'failing_signature';
  const isSlug = path.at(-1) === 'slug';
  return {
    contract,
    name: `${path.join('.')}${asKey ? '.*' : ''}`,
    fits: (text) =>
      codePointLength(text) <= max && !(oneLine && /[\r\n]/.test(text)) && !(isSlug && /[^a-z0-9-]/.test(text)),
    withText: (text) => withValue(valid, path, asKey ? { [text]: valueOfAny(valid, path) } : text),
  };
}

/** The value under whatever key the valid arguments have there. */
function valueOfAny(valid: object, [name, ...rest]: readonly string[]): unknown {
  const inner: unknown = Object.entries(valid).find(([key]) => name === undefined || key === name)?.[1];
  if (name === undefined) return inner ?? 'x';
  return typeof inner === 'object' && inner !== null ? valueOfAny(inner, rest) : inner;
}

function placesIn(node: Node, path: readonly string[]): Place[] {
  const { properties = {}, items, propertyNames, additionalProperties, anyOf = [] } = node;
  return [
    ...(node.freeText === true ? [{ path, asKey: false, max: node.maxLength ?? Infinity }] : []),
    ...(propertyNames?.freeText === true ? [{ path, asKey: true, max: propertyNames.maxLength ?? Infinity }] : []),
    ...Object.entries(properties).flatMap(([name, child]) => placesIn(child, [...path, name])),
    ...(items === undefined ? [] : placesIn(items, [...path, '0'])),
    ...(typeof additionalProperties === 'object' ? placesIn(additionalProperties, [...path, 'k']) : []),
    ...anyOf.flatMap((child) => placesIn(child, path)),
  ];
}
