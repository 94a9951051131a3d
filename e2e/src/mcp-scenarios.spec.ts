import { catalogue } from '@perdure/contracts';
import type { TestActor, TestApp } from '@perdure/testkit';
import { once } from 'node:events';
import { Agent, request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { eventually } from './testing/eventually.js';
import { wholeStack, type WholeStack } from './testing/whole-stack.js';

// cases/mcp: scenarios that need processes, a database and connections that break.

let stack: WholeStack;
let gateway: TestApp;
let agents: TestActor[];

const DEMO = { project: 'demo', computer: 'desk', branch: 'main' };

beforeAll(async () => {
  stack = await wholeStack();
  gateway = await stack.start('mcp-gateway');
  agents = [];
  for (const name of ['ada', 'bob']) {
    const agent = await (await stack.installation.workspace()).actor(name);
    await stack.installation.call(catalogue.projects.createProject, agent, { name: 'demo' });
    await stack.installation.call(catalogue.sessions.startBuildSession, agent, DEMO);
    agents.push(agent);
  }
});
afterAll(() => stack.close());

const ada = (): TestActor => agents[0] ?? fail();

function fail(): never {
  throw new Error('the stack has no agent');
}

/** Sends a call and leaves it to the test what becomes of its connection. */
function begin({ token }: TestActor, name: string, input: object, url = gateway.url): ClientRequest {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: 'application/json' };
  const request = httpRequest(`${url}/mcp`, { method: 'POST', headers });
  request.once('error', () => undefined); // cut by the test
  request.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } }));
  return request;
}

interface ToolAnswer {
  readonly isError?: boolean;
  readonly structuredContent?: { readonly actor?: { readonly name?: string } };
  readonly _meta?: Readonly<Record<string, unknown>>;
}

async function answerTo(request: ClientRequest): Promise<ToolAnswer> {
  const [answer] = (await once(request, 'response')) as [IncomingMessage]; // as `response` is emitted
  let text = '';
  answer.setEncoding('utf8');
  for await (const chunk of answer) text += String(chunk);
  return (JSON.parse(text) as { result: ToolAnswer }).result; // asserted on
}

/** Statements on the table that wait for a lock. */
const waiting = async (table: string): Promise<number> => {
  const { rows } = await stack.admin.query(
    `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE $1`,
    [`%${table}%`],
  );
  return rows.length;
};

/** Runs `during` while nobody else gets at the table. */
async function whileLocked(table: string, during: () => Promise<void>): Promise<void> {
  const client = await stack.admin.connect();
  try {
    await client.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
    await during();
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}

test('cancel-read: the statement of a search whose client left is cancelled', async () => {
  await whileLocked('decision', async () => {
    const search = begin(ada(), 'search_decision_log', { query: 'cache', project: 'demo' });
    await eventually('the search waits', async () => (await waiting('decision')) === 1);
    search.destroy();
    await eventually('nothing waits any more', async () => (await waiting('decision')) === 0);
  });
  const again = await answerTo(begin(ada(), 'search_decision_log', { query: 'cache', project: 'demo' }));
  expect(again).not.toHaveProperty('isError');
  // Somebody left: nobody is to be woken up for that.
  expect(gateway.log()).not.toMatch(/"level":"(?:error|fatal)"/);
});

test('cancel-write: a client that left in flight and calls again with its key has one decision and one event', async () => {
  const counts = async (title: string) => {
    const { rows } = await stack.admin.query<{ decisions: string; events: string }>(
      `SELECT count(*) AS decisions, count(DISTINCT audit_event_id) AS events FROM decision WHERE title = $1`,
      [title],
    );
    return rows[0];
  };
  const input = (title: string) => ({
    project: 'demo',
    title,
    rationale_markdown: 'It holds.',
    decided_on: '2026-11-30',
    changes_public_contract: false,
    idempotency_key: `key-of-${title}`,
  });
  await whileLocked('decision', async () => {
    const write = begin(ada(), 'append_decision_log', input('locked'));
    await eventually('the write waits', async () => (await waiting('decision')) === 1);
    write.destroy();
    await eventually('nothing waits any more', async () => (await waiting('decision')) === 0);
  });
  expect(await counts('locked')).toEqual({ decisions: '0', events: '0' });
  const titles = ['locked', ...Array.from({ length: 20 }, (_, index) => `cut-${index}`)];
  for (const [index, title] of titles.slice(1).entries()) {
    const write = begin(ada(), 'append_decision_log', input(title));
    await once(write, 'finish');
    // Before, while and after it is written, as the machine has it.
    for (let turn = 0; turn < index * 3; turn += 1) await new Promise(setImmediate);
    write.destroy();
  }
  for (const title of titles) {
    const stood = (await counts(title))?.decisions === '1';
    const again = await answerTo(begin(ada(), 'append_decision_log', input(title)));
    expect(again).not.toHaveProperty('isError');
    if (stood) expect(again._meta).toMatchObject({ 'dev.perdure/replayed': true });
    expect(await counts(title)).toEqual({ decisions: '1', events: '1' });
  }
});

test('shared-server-isolation, no-idle-in-transaction: 500 calls at once, each answered as its own', async () => {
  const calls = Array.from({ length: 500 }, (_, index) => agents[index % agents.length] ?? fail());
  const answers = await Promise.all(calls.map((agent) => answerTo(begin(agent, 'who_am_i', {}))));
  expect(answers.map(({ structuredContent }) => structuredContent?.actor?.name)).toEqual(
    calls.map(({ caller }) => caller.actor.name),
  );
  await eventually('no transaction is left open', async () => {
    const { rows } = await stack.admin.query(
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'`,
    );
    return rows.length === 0;
  });
});

test('scope-missing: a credential that may only read sessions cannot end one, at any door', async () => {
  const workspace = await stack.installation.workspace();
  const owner = workspace.owner;
  await stack.installation.call(catalogue.projects.createProject, owner, { name: 'demo' });
  const { build_session } = await stack.installation.call(catalogue.sessions.startBuildSession, owner, DEMO);
  const { secret } = await stack.installation.call(catalogue.access.issueCredential, owner, {
    actor: 'reader',
    scopes: ['sessions:read'],
  });
  const token = secret ?? fail();
  const input = { build_session_id: build_session.id, session_history_entry_markdown: 'Done.' };
  const reader = { ...owner, token };
  const refusal = { kind: 'forbidden', code: 'forbidden_scope', message: expect.stringContaining('sessions:write') };
  const inMcp = await answerTo(begin(reader, 'end_build_session', input));
  expect(inMcp).toMatchObject({ isError: true, _meta: { 'dev.perdure/error': refusal } });
  const api = await stack.start('api');
  const post = async (path: string, body: object) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const answer = await fetch(`${api.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    return { status: answer.status, body: await answer.json() };
  };
  const { session_history_entry_markdown } = input;
  const inRest = await post(`/v1/build-sessions/${build_session.id}/end`, { session_history_entry_markdown });
  expect(inRest).toMatchObject({ status: 403, body: { error: refusal } });
  const inTrpc = await post('/trpc/sessions.endBuildSession', input);
  expect(inTrpc).toMatchObject({ status: 403, body: { error: { data: { perdure: refusal } } } });
  const asked = { build_session_id: build_session.id };
  const after = await stack.installation.call(catalogue.sessions.getBuildSession, owner, asked);
  expect(after.build_session.status).toBe('active');
});

test('keepalive-idle-socket: a connection that was idle for 30 s is still good for a call', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const call = async () => {
    const headers = {
      authorization: `Bearer ${ada().token}`,
      'content-type': 'application/json',
      accept: 'application/json',
    };
    const request = httpRequest(`${gateway.url}/mcp`, { method: 'POST', headers, agent });
    const params = { name: 'who_am_i', arguments: {} };
    request.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }));
    const answer = await answerTo(request);
    return { port: request.socket?.localPort, name: answer.structuredContent?.actor?.name };
  };
  const first = await call();
  await new Promise((resolve) => setTimeout(resolve, 30_000));
  expect(await call()).toEqual(first);
  agent.destroy();
}, 90_000);

test('stream-sigterm: a gateway that is told to stop ends its streams and itself in order', async () => {
  const other = await stack.start('mcp-gateway', { PERDURE_CONFORMANCE_FIXTURES: 'on' });
  const method = 'subscriptions/listen';
  const headers = {
    authorization: `Bearer ${ada().token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
  };
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'e2e', version: '1' },
  };
  const request = httpRequest(`${other.url}/mcp`, { method: 'POST', headers });
  const params = { notifications: { toolsListChanged: true }, _meta };
  request.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
  const [stream] = (await once(request, 'response')) as [IncomingMessage]; // as `response` is emitted
  await once(stream, 'data');
  const ended = once(stream.resume(), 'end');
  await other.stop();
  await ended;
  expect(stream.complete).toBe(true);
  expect(other.log()).toContain('"signal":"SIGTERM"');
  expect(other.log()).not.toMatch(/a step of stopping failed|"level":"(?:error|fatal)"/);
});
