import type { TestApp } from '@perdure/testkit';
import { gatewayStack, type GatewayStack } from './testing/gateway-stack.js';
import { OFFICIAL_CLIENTS, type ToolAnswer } from './testing/official-clients.js';

let stack: GatewayStack;
let gateway: TestApp;

beforeAll(async () => {
  stack = await gatewayStack();
  gateway = await stack.start();
});

afterAll(() => stack.close());

interface Started {
  readonly resumed: boolean;
  readonly build_session: { readonly id: string; readonly status: string };
}

const startedIn = (answer: ToolAnswer) => answer.structuredContent as Started; // the client has checked it

describe.each(OFFICIAL_CLIENTS)('%s', (label, connect) => {
  const branch = label.replace(/ /g, '-');
  const url = () => `${gateway.url}/mcp`;

  test('G1: works through a build session, every answer in the shape its tool declares', async () => {
    const client = await connect(url(), stack.agent.token);
    expect(client.instructions()).toContain('start_build_session');
    const tools = await client.tools();
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['start_build_session', 'run_operation']));
    expect(tools.length).toBeLessThanOrEqual(25);
    expect(tools.every(({ outputSchema }) => outputSchema !== undefined)).toBe(true);

    const project = `of-${branch.replace(/[^a-z0-9]+/g, '-')}`;
    await client.call('create_project', { name: project, slug: project });
    const input = { project, computer: 'desk', branch };
    const started = startedIn(await client.call('start_build_session', input));
    expect(started.resumed).toBe(false);
    expect(startedIn(await client.call('start_build_session', input))).toMatchObject({
      resumed: true,
      build_session: { id: started.build_session.id },
    });
    const build_session_id = started.build_session.id;
    const answers = [
      await client.call('ping_build_session', { build_session_id }),
      await client.call('prepend_build_session_lead', { build_session_id, new_lead_markdown: 'Half way.' }),
      await client.call('append_decision_log', {
        title: 'One door',
        rationale_markdown: 'Less to guard.',
        decided_on: '2026-11-30',
        changes_public_contract: false,
      }),
      await client.call('list_build_sessions', { project }),
      await client.call('get_build_session_aggregate', { build_session_id }),
      await client.call('run_operation', { name: 'who_am_i' }),
      await client.call('find_operations', { query: 'verify audit' }),
      await client.call('end_build_session', { build_session_id, session_history_entry_markdown: 'Done.' }),
    ];
    for (const answer of answers) {
      expect(answer.isError ?? false).toBe(false);
      expect(answer.content).toEqual([{ type: 'text', text: JSON.stringify(answer.structuredContent) }]);
    }
    await client.close();
  });

  test('T4: the same key gives the first answer, marked as replayed', async () => {
    const client = await connect(url(), stack.agent.token);
    await client.tools();
    const input = {
      name: branch,
      slug: `key-${OFFICIAL_CLIENTS.findIndex(([name]) => name === label)}`,
      idempotency_key: branch,
    };
    const fresh = await client.call('create_project', input);
    const replayed = await client.call('create_project', input);
    expect(fresh._meta?.['dev.perdure/replayed']).toBeUndefined();
    expect(replayed._meta?.['dev.perdure/replayed']).toBe(true);
    expect(replayed.structuredContent).toEqual(fresh.structuredContent);
    await client.close();
  });

  test('G2: a refusal is read as a result and breaks no client', async () => {
    const client = await connect(url(), stack.agent.token);
    await client.tools();
    const missing = await client.call('get_build_session_aggregate', {
      build_session_id: '01K5ZQ8W3M9X7B2C4D6E8F0G1H',
    });
    expect(missing).toMatchObject({ isError: true, _meta: { 'dev.perdure/error': { code: 'not_found' } } });
    const wrong = await client.call('ping_build_session', { build_session: 'x' });
    expect(wrong).toMatchObject({ isError: true, _meta: { 'dev.perdure/error': { code: 'invalid_input' } } });
    expect(JSON.stringify(wrong)).toMatch(/build_session_id/);
    await expect(client.call('no_such_tool')).rejects.toMatchObject({ code: -32602 });
    await client.close();
  });

  test('G3: a tool that is not listed is called by its name, and its scope still holds', async () => {
    const client = await connect(url(), stack.agent.token);
    const listed = (await client.tools()).map(({ name }) => name);
    expect(listed).not.toContain('who_am_i');
    expect(await client.call('who_am_i')).toMatchObject({ structuredContent: { actor: { name: 'agent-1' } } });
    const refused = await client.call('verify_audit_chain');
    expect(refused).toMatchObject({
      isError: true,
      _meta: { 'dev.perdure/error': { code: 'forbidden_scope', details: { scope: 'audit:read' } } },
    });
    await client.close();
  });

  test('I2: an unknown credential is refused before anything is said', async () => {
    await expect(connect(url(), 'prd_unknown')).rejects.toThrow();
  });
});
