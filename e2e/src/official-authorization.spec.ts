import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';
import { UnauthorizedError as FirstUnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { SCOPE_PRESETS } from '@perdure/contracts';
import { authProvider } from './testing/auth-providers.js';
import { authorizationStack, type AuthorizationStack } from './testing/authorization-stack.js';
import type { Browser } from './testing/browser.js';

const WHO = { name: 'perdure-e2e', version: '1' };

let stack: AuthorizationStack;
let ada: Browser;
let url: URL;

beforeAll(async () => {
  stack = await authorizationStack();
  ada = await stack.signedIn('admin', 'ada');
  url = new URL(`${stack.gateway.url}/mcp`);
});
afterAll(() => stack.close());

/** The person reads the page that the client sent them to, and approves. */
async function approve(asked: URL | undefined): Promise<URLSearchParams> {
  const consent = await ada.open(asked?.href ?? '');
  const answer = await ada.submit(consent, { decision: 'approve' }, '/oauth/consent/');
  return new URL(answer.url).searchParams;
}

const actorIn = (result: object) =>
  (result as { structuredContent: { actor: { name: string } } }).structuredContent.actor.name; // as its output schema says

test('I3: the official client of 2026 finds, registers, asks, connects, refreshes and steps up by itself', async () => {
  const provider = authProvider();
  const transport = () => new StreamableHTTPClientTransport(url, { authProvider: provider });
  const first = transport();
  await expect(new Client(WHO).connect(first)).rejects.toThrow(UnauthorizedError);
  const asked = provider.memory.asked.at(-1);
  expect(asked?.searchParams.get('scope')?.split(' ').sort()).toEqual([...SCOPE_PRESETS.agent].sort());
  expect(asked?.searchParams.get('resource')).toBe(url.href);
  await first.finishAuth(await approve(asked));

  const client = new Client(WHO);
  await client.connect(transport());
  expect(actorIn(await client.callTool({ name: 'who_am_i', arguments: {} }))).toBe('ada@example.com / Official Client');

  // An access token that is over is refreshed without anybody being asked.
  provider.memory.asked.length = 0;
  const before = provider.memory.tokens;
  if (before !== undefined) provider.memory.tokens = { ...before, access_token: 'over' };
  const again = new Client(WHO);
  await again.connect(transport());
  expect(provider.memory.asked).toEqual([]);
  expect(provider.memory.tokens?.access_token).toMatch(/^prd_access_/);
  expect(provider.memory.tokens?.refresh_token).not.toBe(before?.refresh_token);

  // A call that needs more sends the person to a page that names what the client has and what it lacks.
  await expect(again.callTool({ name: 'verify_audit_chain', arguments: {} })).rejects.toThrow();
  const more = provider.memory.asked.at(-1)?.searchParams.get('scope')?.split(' ') ?? [];
  expect(more).toEqual(expect.arrayContaining([...SCOPE_PRESETS.agent, 'audit:read']));
  await Promise.all([client.close(), again.close()]);
});

test('I3: the official client of 2025 does the same', async () => {
  const provider = authProvider();
  // Both generations ask for the same; the types of the older are stricter about what may be undefined.
  const options = { authProvider: provider } as unknown as ConstructorParameters<typeof FirstTransport>[1];
  const first = new FirstTransport(url, options);
  await expect(new FirstClient(WHO).connect(first)).rejects.toThrow(FirstUnauthorizedError);
  const answer = await approve(provider.memory.asked.at(-1));
  await first.finishAuth(answer.get('code') ?? '');
  const client = new FirstClient(WHO);
  await client.connect(new FirstTransport(url, options));
  expect(actorIn(await client.callTool({ name: 'who_am_i', arguments: {} }))).toBe('ada@example.com / Official Client');
  await client.close();
});
