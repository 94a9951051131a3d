import { gzipSync } from 'node:zlib';
import { DomainError } from '@perdure/contracts';
import express, { type ErrorRequestHandler } from 'express';
import request from 'supertest';
import { BODY_LIMIT_BYTES, jsonBody } from './json-body.js';

const refused: ErrorRequestHandler = (error: unknown, _request, response, _next) => {
  if (!(error instanceof DomainError)) return void response.status(500).json({ message: String(error) });
  response.status(error.status).json(error.toBody());
};

const app = express()
  .post('/', jsonBody(), (req, response) => void response.json({ received: req.body as unknown }))
  .use(refused);

const send = (bytes: Buffer | string, headers: Record<string, string> = {}) =>
  request(app)
    .post('/')
    .set({ 'content-type': 'application/json', ...headers })
    .serialize((body: unknown) => body as string) // sent as it stands
    .send(bytes);

const textOf = (length: number) => JSON.stringify({ text: 'a'.repeat(length - '{"text":""}'.length) });

describe('what is read', () => {
  test.each([['{"a":[1,"\\u007b"]}'], ['null'], ['123'], ['[]'], ['"text"'], ['{"a":"{[{[\\"{["}']])(
    'G6: %s comes through as it is',
    async (text) => {
      const response = await send(text);
      expect(response.status).toBe(200);
      expect(response.body).toEqual({ received: JSON.parse(text) });
    },
  );

  test('G6: exactly the limit, and UTF-8 said in any spelling', async () => {
    expect((await send(textOf(BODY_LIMIT_BYTES))).status).toBe(200);
    expect((await send('{}', { 'content-type': 'Application/JSON; charset="UTF-8"' })).status).toBe(200);
  });

  test('G6: 64 levels', async () => {
    expect((await send('['.repeat(64) + ']'.repeat(64))).status).toBe(200);
  });
});

describe('what is refused', () => {
  test.each([
    ['one byte over the limit', textOf(BODY_LIMIT_BYTES + 1), {}, 413, 'too_large'],
    ['a bomb', gzipSync('a'.repeat(52_428_800)), { 'content-encoding': 'gzip' }, 415, 'unsupported'],
    ['an unknown encoding', '{}', { 'content-encoding': 'zstd' }, 415, 'unsupported'],
    ['plain text', '{}', { 'content-type': 'text/plain' }, 415, 'unsupported'],
    ['a form', 'a=1', { 'content-type': 'application/x-www-form-urlencoded' }, 415, 'unsupported'],
    ['a longer type', '{}', { 'content-type': 'application/json-seq' }, 415, 'unsupported'],
    ['latin1', '{}', { 'content-type': 'application/json; charset=latin1' }, 415, 'unsupported'],
    ['nothing', '', {}, 400, 'invalid_input'],
    ['half a body', '{"title":"a"', {}, 400, 'invalid_input'],
    ['two bodies', '{}{}', {}, 400, 'invalid_input'],
    ['NaN', '{"turns":NaN}', {}, 400, 'invalid_input'],
    ['a byte that is no UTF-8', Buffer.from('eyJ0aXRsZSI6ImH/In0=', 'base64'), {}, 400, 'invalid_input'],
    ['an overlong form', Buffer.from('eyJ0aXRsZSI6IsCvIn0=', 'base64'), {}, 400, 'invalid_input'],
    ['a surrogate in UTF-8', Buffer.from('eyJ0aXRsZSI6Iu2ggCJ9', 'base64'), {}, 400, 'invalid_input'],
    ['a key twice', '{"a":1,"b":{"c":1,"c":2}}', {}, 400, 'invalid_input'],
    ['65 levels', '['.repeat(65) + ']'.repeat(65), {}, 400, 'invalid_input'],
    ['10,000 levels', '{"a":'.repeat(10_000) + '1' + '}'.repeat(10_000), {}, 400, 'invalid_input'],
  ] as const)('G6: %s', async (_what, body, headers, status, code) => {
    const response = await send(body, headers);
    expect(response.status).toBe(status);
    expect(response.body).toMatchObject({ code });
    expect(response.text).not.toMatch(/title|Unexpected|node_modules/);
  });

  test('G6: a body without a type', async () => {
    const response = await request(app).post('/').set('content-length', '0');
    expect(response.status).toBe(415);
  });
});
