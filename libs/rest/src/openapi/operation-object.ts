import {
  answerJsonSchema,
  argumentsJsonSchema,
  operationExamples,
  sharedObjectName,
  type JsonSchema,
  type OperationContract,
} from '@perdure/contracts';
import { pathParameters } from '../routes/route-table.js';
import { responsesOf } from './responses.js';
import { extractObjects } from './shared-objects.js';

interface ArgumentSchemas {
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required: readonly string[];
}

/** The Operation Object of an operation (OpenAPI 3.1 section 4.8.10). Shared objects of its answer go to `components`. */
export function operationObject(contract: OperationContract, components: Map<string, JsonSchema>): JsonSchema {
  const { name, title, summary, area, scope, toolSet, audits, kind, input, output } = contract;
  const answer = extractObjects(answerJsonSchema(output, sharedObjectName), components);
  return {
    operationId: name,
    summary: title,
    description: summary,
    tags: [area],
    ...requestOf(contract, argumentsJsonSchema(input) as unknown as ArgumentSchemas), // always of an object
    responses: responsesOf(contract, answer),
    'x-perdure-scope': scope,
    'x-perdure-tool-set': toolSet,
    ...(kind === 'mutation' ? { 'x-perdure-audited-as': audits } : {}),
  };
}

function requestOf(contract: OperationContract, { properties, required = [] }: ArgumentSchemas): JsonSchema {
  const { route, kind } = contract;
  const example = operationExamples.find(({ operation }) => operation === contract.name)?.input ?? {};
  const inPath = pathParameters(route.path);
  const beside = Object.keys(properties).filter((name) => !inPath.includes(name));
  const parameter = (name: string, place: 'path' | 'query') => ({
    name,
    in: place,
    required: required.includes(name),
    schema: properties[name],
    ...(name in example ? { example: example[name] } : {}),
  });
  const parameters = [
    ...inPath.map((name) => parameter(name, 'path')),
    ...(route.method === 'GET' ? beside.map((name) => parameter(name, 'query')) : []),
    ...(kind === 'mutation' ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
  ];
  if (route.method === 'GET') return { parameters };
  const schema = {
    type: 'object',
    properties: pick(properties, beside),
    required: required.filter((name) => beside.includes(name)),
    additionalProperties: false,
  };
  return {
    parameters,
    requestBody: {
      required: schema.required.length > 0,
      content: {
        'application/json': { schema, example: pick(example, beside) },
        ...(route.lines === undefined ? {} : { 'application/x-ndjson': { schema: linesOf(route.lines) } }),
      },
    },
  };
}

const linesOf = ({ argument, keyArgument }: NonNullable<OperationContract['route']['lines']>): JsonSchema => ({
  type: 'string',
  description: `One item of \`${argument}\` a line, gzipped or not; \`${keyArgument}\` stands in the query string or is the Idempotency-Key.`,
});

const pick = (from: Readonly<Record<string, unknown>>, names: readonly string[]) =>
  Object.fromEntries(names.filter((name) => name in from).map((name) => [name, from[name]]));
