import { type Caller, DomainError } from '@perdure/contracts';
import express, { type ErrorRequestHandler } from 'express';
import request from 'supertest';
import { callerOf } from './caller-of.js';
import { requireCaller, type Challenge } from './require-caller.js';

const caller: Caller = {
  workspaceId: '01K5ZQ8W3M9X7B2C4D6E8F0G00',
  actor: { id: '01K5ZQ8W3M9X7B2C4D6E8F0G01', name: 'agent-1', kind: 'agent' },
  scopes: new Set(['sessions:read']),
  credentialId: '01K5ZQ8W3M9X7B2C4D6E8F0G02',
  expiresAt: null,
};

function appAccepting(token: string, challenge: Challenge | null = null) {
  const asked: string[] = [];
  const refused: ErrorRequestHandler = (error: unknown, _request, response, _next) => {
    response.status(error instanceof DomainError ? error.status : 500).json({ message: String(error) });
  };
  const authenticate = async (given: string) => {
    asked.push(given);
    if (given === 'database-down') throw new DomainError('unavailable', 'later');
    return given === token ? caller : null;
  };
  const app = express()
    .get('/open', (_request, response) => void response.json({ name: callerOf(response).actor.name }))
    .use(requireCaller(authenticate, { ofFailure: async () => null }, challenge))
    .get('/', (_request, response) => void response.json({ name: callerOf(response).actor.name }))
    .use(refused);
  return { app, asked };
}

test.each(['Bearer prd_good', 'bearer prd_good', 'Bearer   prd_good '])('I2: %s is let through', async (header) => {
  const { app } = appAccepting('prd_good');
  const response = await request(app).get('/').set('authorization', header);
  expect([response.status, response.body]).toEqual([200, { name: 'agent-1' }]);
});

test.each([
  [undefined, 'Bearer'],
  ['', 'Bearer'],
  ['Basic cHJkX2dvb2Q6', 'Bearer'],
  ['Bearer', 'Bearer'],
  ['Bearer prd_good prd_bad', 'Bearer'],
  ['Bearer prd_wrong', 'Bearer error="invalid_token", error_description="unknown, expired or revoked"'],
])('I2: %s is refused with the challenge %s', async (header, challenge) => {
  const { app } = appAccepting('prd_good');
  const sent = request(app).get('/?access_token=prd_good&token=prd_good');
  const response = await (header === undefined ? sent : sent.set('authorization', header));
  expect([response.status, response.headers['www-authenticate']]).toEqual([401, challenge]);
});

test('RFC 9728: whoever has no credential is told where to get one, and what to ask for', async () => {
  const challenge = { resourceMetadataUrl: 'https://p.example/.well-known/oauth-protected-resource/mcp', scope: 'a b' };
  const { app } = appAccepting('prd_good', challenge);
  const where = `resource_metadata="${challenge.resourceMetadataUrl}", scope="a b"`;
  const without = await request(app).get('/');
  expect(without.headers['www-authenticate']).toBe(`Bearer ${where}`);
  const wrong = await request(app).get('/').set('authorization', 'Bearer prd_wrong');
  expect(wrong.headers['www-authenticate']).toBe(
    `Bearer error="invalid_token", error_description="unknown, expired or revoked", ${where}`,
  );
});

test('I2: a token in the query is never read', async () => {
  const { app, asked } = appAccepting('prd_good');
  await request(app).get('/?access_token=prd_good');
  expect(asked).toEqual([]);
});

test('I2: a database that is down is no wrong credential', async () => {
  const { app } = appAccepting('prd_good');
  const response = await request(app).get('/').set('authorization', 'Bearer database-down');
  expect([response.status, response.headers['www-authenticate']]).toEqual([503, undefined]);
});

test('I2: a route mounted before it has no caller', async () => {
  const { app } = appAccepting('prd_good');
  const response = await request(app).get('/open').set('authorization', 'Bearer prd_good');
  expect(response.status).toBe(500);
});
