import { catalogue } from '@perdure/contracts';
import type { TestApp } from '@perdure/testkit';
import { gatewayStack, type GatewayStack } from './testing/gateway-stack.js';
import { faultsOf, requestCases, sendCase, type Answer } from './testing/mcp-cases.js';

const ALLOWED_ORIGIN = 'https://tools.example.com';

let stack: GatewayStack;
let gateway: TestApp;
let values: Record<string, string>;

beforeAll(async () => {
  stack = await gatewayStack({ PERDURE_ALLOWED_ORIGINS: ALLOWED_ORIGIN });
  gateway = await stack.start();
  const { call } = stack.installation;
  await call(catalogue.projects.createProject, stack.agent, { name: 'demo' });
  const input = { project: 'demo', computer: 'desk', branch: 'main' };
  const { build_session } = await call(catalogue.sessions.startBuildSession, stack.agent, input);
  values = { TOKEN: stack.agent.token, ALLOWED_ORIGIN, SESSION: build_session.id };
});

afterAll(() => stack.close());

interface Message {
  readonly id?: unknown;
  readonly result?: {
    readonly protocolVersion?: string;
    readonly instructions?: string;
    readonly isError?: boolean;
    readonly structuredContent?: unknown;
    readonly content?: { type: string; text: string }[];
    readonly _meta?: Record<string, { code?: string; details?: unknown } | undefined>;
    readonly tools?: { name: string; inputSchema: Record<string, unknown> }[];
  };
  readonly error?: { readonly data?: { kind?: string; supported?: string[] } };
}

const metadataIn = ({ text }: Answer) => JSON.parse(text) as Readonly<Record<string, unknown>>; // asserted on below

const messageIn = ({ text }: Answer) => JSON.parse(text) as Message; // asserted on below

const refusedWith = (answer: Answer, code: string) => {
  const { result } = messageIn(answer);
  expect(result?.isError).toBe(true);
  expect(result).not.toHaveProperty('structuredContent');
  const error = result?._meta?.['dev.perdure/error'];
  expect(error).toMatchObject({ kind: code, code, message: expect.any(String), hint: expect.any(String) });
  expect(JSON.parse(result?.content?.[0]?.text ?? '')).toEqual({ error });
  return error;
};

/** What the cases say in words. */
const INVARIANTS: Record<string, (answer: Answer) => void | Promise<void>> = {
  'prm-path-inserted': (answer) => {
    const { resource, authorization_servers, scopes_supported } = metadataIn(answer);
    expect(resource).toBe(`${gateway.url}/mcp`);
    expect(authorization_servers).toEqual([gateway.url]);
    expect(scopes_supported).toContain('sessions:write');
    expect(scopes_supported).not.toContain('offline_access');
  },
  'prm-root': (answer) => {
    expect(metadataIn(answer).resource).toBe(`${gateway.url}/mcp`);
  },
  'as-metadata': (answer) => {
    expect(metadataIn(answer)).toMatchObject({
      issuer: gateway.url,
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
      grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
    });
  },
  unauthenticated: async (answer) => {
    const challenge = answer.headers['www-authenticate'] ?? '';
    const named = /resource_metadata="([^"]+)"/.exec(challenge)?.[1] ?? '';
    expect((await fetch(named)).status).toBe(200);
    expect(challenge).toMatch(/ scope="[a-z: ]+"/);
    expect(challenge).not.toContain('error=');
  },
  'wrong-token': (answer) => {
    expect(answer.headers['www-authenticate']).not.toMatch(/undefined|=""/);
  },
  'session-stale-initialize': (answer) => {
    expect(messageIn(answer).result?.protocolVersion).toBe('2025-11-25');
  },
  'init-future-version': (answer) => {
    expect(messageIn(answer).result?.protocolVersion).toMatch(/^202[45]-/);
  },
  'body-100kb': (answer) => {
    expect(messageIn(answer).result?.isError ?? false).toBe(false);
  },
  'body-too-big': (answer) => {
    expect(messageIn(answer).error?.data?.kind).toBe('too_large');
  },
  'modern-version-unknown': (answer) => {
    expect(messageIn(answer).error?.data?.supported).toContain('2026-07-28');
  },
  'modern-discover': (answer) => {
    expect(messageIn(answer).id).toBe('server-discover-probe-1');
    expect(messageIn(answer).result?.instructions).toMatch(/start_build_session/);
  },
  'modern-name-mismatch': () => {
    expect(gateway.log()).not.toContain('"op":"list_projects"');
  },
  'token-in-query': () => {
    expect(gateway.log()).not.toContain(stack.agent.token);
  },
  'success-structured': (answer) => {
    const { result } = messageIn(answer);
    expect(catalogue.access.whoAmI.output.strict().safeParse(result?.structuredContent).success).toBe(true);
    expect(JSON.parse(result?.content?.[0]?.text ?? '')).toEqual(result?.structuredContent);
  },
  'error-isError': (answer) => void refusedWith(answer, 'not_found'),
  'bad-argument-is-tool-error': (answer) => {
    expect(JSON.stringify(refusedWith(answer, 'invalid_input')?.details)).toContain('build_session_id');
  },
  'schema-roots': async (answer) => {
    const tools = messageIn(answer).result?.tools ?? [];
    expect(tools.length).toBeGreaterThan(5);
    for (const { name, inputSchema } of tools) {
      expect(name).toMatch(/^[a-z0-9_]{1,64}$/);
      expect(inputSchema['type']).toBe('object');
      expect(Object.keys(inputSchema)).not.toEqual(expect.arrayContaining([expect.stringMatching(/Of$|ref/)]));
    }
    const again = requestCases().find(({ id }) => id === 'schema-roots');
    if (again === undefined) throw new Error('the case is gone');
    expect((await sendCase(gateway.url, again, values)).text).toBe(answer.text);
  },
};

const cases = requestCases().map((one) => [one.id, one] as const);

test.each(cases)('%s', async (id, one) => {
  const answer = await sendCase(gateway.url, one, values);
  expect(faultsOf(answer, one.expect, values)).toEqual([]);
  await INVARIANTS[id]?.(answer);
});

test('every invariant belongs to a case', () => {
  expect(Object.keys(INVARIANTS).filter((id) => !cases.some(([known]) => known === id))).toEqual([]);
});
