import { catalogue } from '@perdure/contracts';
import {
  createTestInstallation,
  createTestQueue,
  createTestRedis,
  startApp,
  testQueueKind,
  type TestActor,
  type TestApp,
  type TestInstallation,
  type TestQueueKind,
  type TestWorkspace,
} from '@perdure/testkit';
import { eventually } from './testing/eventually.js';

const LIMIT = 40;
const BLOCK = LIMIT / 20;

let installation: TestInstallation;
let workspace: TestWorkspace;
const running: TestApp[] = [];

beforeAll(async () => {
  installation = await createTestInstallation();
  workspace = await installation.workspace();
});

afterEach(async () => {
  await Promise.all(running.splice(0).map((app) => app.stop()));
});

afterAll(() => installation.close());

async function start(name: 'api' | 'mcp-gateway', queueUrl: string): Promise<TestApp> {
  const app = await startApp(name, {
    PERDURE_DATABASE_URL: installation.database.appUrl,
    PERDURE_QUEUE_URL: queueUrl,
    PERDURE_CREDENTIAL_REQUESTS_PER_MINUTE: String(LIMIT),
  });
  running.push(app);
  return app;
}

const overMcp = ({ url }: TestApp, { token }: TestActor) =>
  fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${token}`,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'who_am_i', arguments: {} } }),
  });

const overRest = ({ url }: TestApp, { token }: TestActor) =>
  fetch(`${url}/v1/projects`, { headers: { authorization: `Bearer ${token}` } });

/** Both, or the one that the run was asked to test. */
const KINDS: TestQueueKind[] =
  process.env['PERDURE_TEST_QUEUE'] === undefined ? ['redis', 'postgres'] : [testQueueKind()];

describe.each(KINDS)('counters in %s', (kind) => {
  test('rate-limit: a gateway and an api share the limit of a credential; another credential is served', async () => {
    const queue = await createTestQueue(kind);
    const [gateway, api] = await Promise.all([start('mcp-gateway', queue.url), start('api', queue.url)]);
    const [agent, other] = [await workspace.actor(`agent-${kind}`), await workspace.actor(`other-${kind}`)];
    const refused: Response[] = [];
    for (let call = 0; call < LIMIT; call += 1)
      for (const answer of [await overMcp(gateway, agent), await overRest(api, agent)])
        if (answer.status === 429) refused.push(answer);
    // Of two processes one may not know yet of a block of the other.
    expect(refused.length).toBeLessThanOrEqual(LIMIT);
    expect(refused.length).toBeGreaterThanOrEqual(LIMIT - BLOCK);
    for (const answer of refused) {
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    }
    expect([(await overMcp(gateway, other)).status, (await overRest(api, other)).status]).toEqual([200, 200]);
    expect(gateway.log() + api.log()).not.toContain('counters of rate limits');
    await Promise.all(running.splice(0).map((app) => app.stop()));
    await queue.drop();
  });
});

test('G6: a quota of a workspace holds in running processes, for all its credentials, until it is lifted', async () => {
  const queue = await createTestQueue();
  const [gateway, api] = await Promise.all([start('mcp-gateway', queue.url), start('api', queue.url)]);
  const [limited, outside] = [await installation.workspace(), await workspace.actor('outside')];
  const agents = [await limited.actor('one'), await limited.actor('two')];
  const statuses = async () => {
    const answers = await Promise.all(agents.flatMap((agent) => [overMcp(gateway, agent), overRest(api, agent)]));
    return answers.map(({ status }) => status);
  };
  const setQuota = (requests_per_minute: number | null) =>
    installation.call(catalogue.platform.setWorkspaceQuota, installation.platform, {
      workspace: limited.id,
      requests_per_minute,
    });
  expect(await statuses()).toEqual([200, 200, 200, 200]);
  await setQuota(0);
  await eventually('every door refuses', async () => (await statuses()).every((status) => status === 429));
  expect(await (await overRest(api, agents[0] ?? outside)).json()).toMatchObject({
    error: { code: 'rate_limited', details: { limit_of: 'workspace', limit: 0 } },
  });
  expect([(await overMcp(gateway, outside)).status, (await overRest(api, outside)).status]).toEqual([200, 200]);
  await setQuota(null);
  await eventually('every door is open', async () => (await statuses()).every((status) => status === 200));
  await Promise.all(running.splice(0).map((app) => app.stop()));
  await queue.drop();
});

test('G6: without its Redis a process serves on, holds to what it counts itself, and says so', async () => {
  const redis = await createTestRedis();
  const gateway = await start('mcp-gateway', redis.url);
  const agent = await workspace.actor('agent-alone');
  expect((await overMcp(gateway, agent)).status).toBe(200);
  await redis.stop();
  const statuses: number[] = [];
  for (let call = 0; call < LIMIT + 5; call += 1) statuses.push((await overMcp(gateway, agent)).status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(LIMIT - 1);
  expect(statuses.slice(-5)).toEqual([429, 429, 429, 429, 429]);
  expect(gateway.log().split('the counters of rate limits do not answer')).toHaveLength(2);
});
