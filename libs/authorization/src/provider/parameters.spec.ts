import { SCOPE_PRESETS } from '@perdure/contracts';
import { addressesOf } from '../addresses.js';
import { authorizeQuery } from './authorize-query.js';
import { applyClientRules } from './client-rules.js';
import { openAnswer, sealAnswer } from './sealed-answer.js';

const known = new Set(addressesOf('https://p.example', 'https://p.example/mcp').resourceSpellings);
const isResource = (spelling: string) => known.has(spelling);
const queried = (query: string) => new URLSearchParams(authorizeQuery(query, isResource));

describe('the query of an authorization request', () => {
  test('I3: without a scope, and with none that programs get here, an agent’s are asked for', () => {
    const agent = SCOPE_PRESETS.agent.join(' ');
    for (const query of ['', 'scope=', 'scope=openid+offline_access', 'scope=platform:admin'])
      expect(queried(query).get('scope')).toBe(agent);
    expect(queried('scope=openid+audit:read').get('scope')).toBe('audit:read');
  });

  test('RFC 8707: our own spellings are one resource; with another among them it stays as it was sent', () => {
    for (const resource of known)
      expect(queried(`resource=${encodeURIComponent(resource)}`).has('resource')).toBe(false);
    const mixed = queried('resource=https://p.example/mcp&resource=https://other.example');
    expect(mixed.getAll('resource')).toEqual(['https://p.example/mcp', 'https://other.example']);
  });

  test('everything else stays as the client sent it', () => {
    expect(queried('state=a%26b%00&client_id=x&client_id=y').toString()).toContain(
      'state=a%26b%00&client_id=x&client_id=y',
    );
    expect(queried('scope=a&scope=b').getAll('scope')).toEqual(['a', 'b']);
  });
});

describe('what a client says about itself', () => {
  test('RFC 8252: every program is native, so that loopback ports float and plain http stays on loopback', () => {
    const metadata = {
      client_id: 'abc',
      application_type: 'web' as const,
      scope: 'x',
      response_types: ['id_token' as const],
    };
    applyClientRules(metadata);
    expect(metadata).toEqual({
      client_id: 'abc',
      application_type: 'native',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    });
  });

  test('a document on the web has no secret; an issued credential keeps its own grant', () => {
    const document = {
      client_id: 'https://a.example/c.json',
      token_endpoint_auth_method: 'client_secret_basic' as const,
    };
    applyClientRules(document);
    expect(document.token_endpoint_auth_method).toBe('none');
    const credential = { client_id: 'x', grant_types: ['client_credentials'] };
    applyClientRules(credential);
    expect(credential).toEqual({ client_id: 'x', grant_types: ['client_credentials'] });
  });
});

test('I3: the answer to a refresh opens with the token it was sealed with, and with no other', () => {
  const sealed = sealAnswer('old token', '{"access_token":"new"}');
  expect(openAnswer('old token', sealed)).toBe('{"access_token":"new"}');
  expect(sealed.toString('latin1')).not.toContain('access_token');
  expect(() => openAnswer('other token', sealed)).toThrow();
  sealed[sealed.length - 1] = (sealed.at(-1) ?? 0) ^ 1;
  expect(() => openAnswer('old token', sealed)).toThrow();
});
