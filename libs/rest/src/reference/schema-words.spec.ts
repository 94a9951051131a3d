import { argumentsJsonSchema, catalogue } from '@perdure/contracts';
import type { z } from 'zod';
import { schemaRows, limitsInWords, typeInWords } from './schema-words.js';

const { appendDecisionLog } = catalogue.decisions;
const { recordBuildSessionPrs, listBuildSessions } = catalogue.sessions;
const rowsOf = (contract: { input: z.ZodObject }) =>
  Object.fromEntries(
    schemaRows(argumentsJsonSchema(contract.input)).map(({ name, type, limits, required }) => [
      name,
      [type, limits, required],
    ]),
  );

test('T2: arguments in words: type, limits, whether they are needed', () => {
  expect(rowsOf(appendDecisionLog)).toMatchObject({
    title: ['text', '1 to 200 characters', true],
    decided_on: ['date', '', true],
    changes_public_contract: ['boolean', '', true],
    kind: ['choice', 'decision, constraint, dead_end, preference', false],
    build_session_id: ['id', '', false],
    tags: ['list of text', 'at most 200 entries; each 1 to 100 characters', false],
  });
  expect(rowsOf(listBuildSessions)).toMatchObject({ limit: ['integer', '1 to 200', false] });
});

test('T2: the parts of an argument follow it', () => {
  expect(rowsOf(recordBuildSessionPrs)).toMatchObject({
    prs: ['list of object', '1 to 200 entries', true],
    'prs[].url': ['text', '1 to 2,000 characters', true],
    'prs[].title': ['text', '1 to 200 characters', false],
  });
});

test.each([
  [{ anyOf: [{ type: 'string', maxLength: 5 }, { type: 'null' }] }, 'text or null', 'at most 5 characters'],
  [{ type: ['string', 'null'], maxLength: 5 }, 'text or null', 'at most 5 characters'],
  [{ type: 'array', items: { type: 'array', items: { type: 'integer' } } }, 'list of list of integer', ''],
  [{ type: 'object', additionalProperties: { type: 'integer' } }, 'map to integer', ''],
  [{ type: 'object', additionalProperties: {} }, 'object', ''],
  [{ type: 'string', format: 'date-time', maxLength: 40 }, 'instant', 'at most 40 characters'],
  [{ type: 'string', pattern: '^[a-f]+$' }, 'text', 'matches ^[a-f]+$'],
  [{ type: 'number', minimum: 0 }, 'number', 'at least 0'],
  [{}, 'any value', ''],
])('%j is %s, %s', (schema, type, limits) => {
  expect([typeInWords(schema), limitsInWords(schema)]).toEqual([type, limits]);
});

test('T2: the keys of an answer in words; a shared object is named, not taken apart', () => {
  const schema = {
    properties: {
      more: { anyOf: [{ type: 'object', properties: { call: { type: 'string' } } }, { type: 'null' }] },
      seen: { type: 'array', items: { 'x-perdure-object': 'pr', properties: { url: { type: 'string' } } } },
    },
    required: ['seen'],
  };
  expect(schemaRows(schema).map(({ name, type, required }) => [name, type, required])).toEqual([
    ['more', 'object or null', false],
    ['more.call', 'text', false],
    ['seen', 'list of pr', true],
  ]);
});
