import { catalogue, type AuditEntryObject, type BuildSessionObject } from '@perdure/contracts';
import type { TestActor, TestApp, TestWorkspace } from '@perdure/testkit';
import { OFFICIAL_CLIENTS, type McpClient } from './testing/official-clients.js';
import { countOf } from './testing/stored-chain.js';
import { wholeStack, type WholeStack } from './testing/whole-stack.js';

let stack: WholeStack;
let gateways: TestApp[];
let workspace: TestWorkspace;
let agent: TestActor;
let auditor: McpClient;

beforeAll(async () => {
  stack = await wholeStack();
  gateways = [await stack.start('mcp-gateway'), await stack.start('mcp-gateway')];
  workspace = await stack.installation.workspace();
  agent = await workspace.actor('agent');
  await stack.installation.call(catalogue.projects.createProject, agent, { name: 'demo' });
  const [gateway] = gateways;
  if (gateway === undefined) throw new Error('no gateway');
  auditor = await stack.connect(gateway, (await workspace.actor('auditor', 'auditor')).token);
});

afterAll(() => stack.close());

interface Started {
  readonly build_session: BuildSessionObject;
  readonly resumed: boolean;
}

/** Each round one key and one kind of client, so that the race is run more than once. */
test.each(OFFICIAL_CLIENTS)(
  'S2: 50 concurrent starts through two gateway processes: one session, 49 resumed, one build_session.started (%s)',
  async (branch, connect) => {
    const clients = await Promise.all(
      Array.from({ length: 50 }, (_, index) => connect(`${gateways[index % 2]?.url}/mcp`, agent.token)),
    );
    const before = await countOf(stack.admin, 'build_session', [workspace.id]);
    const input = { project: 'demo', computer: 'desk', branch };
    const answers = await Promise.all(clients.map((client) => client.call('start_build_session', input)));
    const started = answers.map(({ structuredContent }) => structuredContent as Started); // checked by the client
    expect(started.map(({ resumed }) => resumed).toSorted()).toEqual([false, ...Array<boolean>(49).fill(true)]);
    const ids = new Set(started.map(({ build_session }) => build_session.id));
    expect(ids.size).toBe(1);
    expect(await countOf(stack.admin, 'build_session', [workspace.id])).toBe(before + 1);
    const events = await auditor.call('list_audit_events', { type: 'build_session.started', subject_id: [...ids][0] });
    const { items } = events.structuredContent as { items: AuditEntryObject[] }; // the contract's output
    expect(items).toHaveLength(1);
    await Promise.all(clients.map((client) => client.close()));
  },
);
