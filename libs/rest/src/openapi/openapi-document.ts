import { ERROR_CODES, ERROR_KINDS, idempotencyKey, type JsonSchema } from '@perdure/contracts';
import { z } from 'zod';
import { areaTitle, areas } from '../reference/areas.js';
import { routeTable } from '../routes/route-table.js';
import { operationObject } from './operation-object.js';

const DESCRIPTION = [
  'The operations of Perdure over HTTP. The same ones, with the same arguments and answers, are MCP tools at `/mcp` and',
  'typed procedures at `/trpc`. Every refusal is `{"error": {kind, code, message, hint, details}}`: branch on `code`.',
  'Lists take `limit` and `cursor` and answer `{items, next_cursor}`; a page may end before `limit`. A call whose answer',
  'was lost is sent again with the same `Idempotency-Key` and is done once within 24 h.',
].join(' ');

const ERROR: JsonSchema = {
  type: 'object',
  properties: {
    error: {
      type: 'object',
      properties: {
        kind: { type: 'string', enum: Object.keys(ERROR_KINDS) },
        code: { type: 'string', enum: Object.keys(ERROR_CODES), description: 'Permanent: programs branch on it.' },
        message: { type: 'string' },
        hint: { type: 'string', description: 'What would be right.' },
        details: { type: 'object', description: 'Facts for programs; of `invalid_input` the `fields`.' },
      },
      required: ['kind', 'code', 'message', 'hint', 'details'],
    },
  },
  required: ['error'],
};

/** The REST routes as an OpenAPI 3.1 document, computed from the catalogue. @param version of the product */
export function openApiDocument(version: string): JsonSchema {
  const schemas = new Map<string, JsonSchema>();
  const paths = routeTable().map(({ path, operations }) => [
    path,
    Object.fromEntries(
      operations.map((contract) => [contract.route.method.toLowerCase(), operationObject(contract, schemas)]),
    ),
  ]);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Perdure',
      version,
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }],
    tags: areas().map((area) => ({ name: area, description: areaTitle(area) })),
    paths: Object.fromEntries(paths),
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'A credential; it must hold the scope that `x-perdure-scope` of the operation names.',
        },
      },
      parameters: { IdempotencyKey: IDEMPOTENCY_KEY },
      headers: { IdempotentReplayed: IDEMPOTENT_REPLAYED },
      schemas: {
        Error: ERROR,
        ...Object.fromEntries([...schemas].toSorted(([one], [other]) => (one < other ? -1 : 1))),
      },
    },
  };
}

const { $schema: _dialect, ...keySchema } = z.toJSONSchema(idempotencyKey());

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'Yours for this call: sent again within 24 h it changes nothing and gives the first answer.',
  schema: keySchema,
};

const IDEMPOTENT_REPLAYED = {
  description: '`true` when this is the stored answer to an earlier call with the same `Idempotency-Key`.',
  schema: { type: 'string', enum: ['true'] },
};
