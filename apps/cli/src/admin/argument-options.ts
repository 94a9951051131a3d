import { argumentsJsonSchema, type JsonSchema, type OperationContract } from '@perdure/contracts';
import { InvalidArgumentError, Option } from 'commander';

interface Property {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly Property[];
  readonly items?: Property;
}

type ObjectSchema = JsonSchema & {
  readonly properties: Readonly<Record<string, Property>>;
  readonly required?: readonly string[];
};

/** The word that stands for null: it lifts a limit. */
const NOTHING = 'none';
/** Commander makes an empty text of a null. */
const NULL = Symbol('null');

/** The value of an option as the operation takes it. */
export const argumentOf = (value: unknown): unknown => (value === NULL ? null : value);

/** `credential_id` → `--credential-id`, with the type, the choices and the need that its contract gives it. */
export function optionsFor(contract: OperationContract): { readonly name: string; readonly option: Option }[] {
  const { properties, required = [] } = argumentsJsonSchema(contract.input) as ObjectSchema; // arguments are an object
  return Object.entries(properties).map(([name, property]) => ({
    name,
    option: optionFor(name, property, required.includes(name)),
  }));
}

function optionFor(name: string, property: Property, isRequired: boolean): Option {
  const isNullable = property.anyOf?.some(({ type }) => type === 'null') === true;
  const schema = property.anyOf?.find(({ type }) => type !== 'null') ?? property;
  const option = new Option(flagsOf(name, schema), describe(schema, { isRequired, isNullable }));
  const choices = schema.enum ?? schema.items?.enum;
  if (choices !== undefined) option.choices([...choices]);
  else if (schema.type === 'integer' || schema.type === 'number') option.argParser(numberReader(isNullable));
  return option.makeOptionMandatory(isRequired);
}

function flagsOf(name: string, { type }: Property): string {
  const flag = `--${name.replaceAll('_', '-')}`;
  if (type === 'boolean') return flag;
  if (type === 'array') return `${flag} <values...>`;
  return type === 'integer' || type === 'number' ? `${flag} <number>` : `${flag} <text>`;
}

function describe(
  { type }: Property,
  { isRequired, isNullable }: { isRequired: boolean; isNullable: boolean },
): string {
  const words = [
    ...(isRequired ? ['required'] : []),
    ...(type === 'array' ? ['one or several'] : []),
    ...(isNullable ? [`or ${NOTHING}, to lift it`] : []),
  ];
  return words.join(', ');
}

const numberReader = (isNullable: boolean) => (text: string) => {
  if (isNullable && text === NOTHING) return NULL;
  if (/^-?\d{1,16}$/.test(text)) return Number(text);
  throw new InvalidArgumentError(isNullable ? `Give a whole number or ${NOTHING}.` : 'Give a whole number.');
};
