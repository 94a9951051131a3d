import { answersByName } from '../testing/answered-calls.js';
import { authorizationStack, type AuthorizationStack } from '../testing/authorization-stack.js';
import { authorizingProxy, type AuthorizingProxy } from '../testing/authorizing-proxy.js';
import { stopTools } from '../testing/outside-tools.js';
import { requiredScenarios, startSuite, type SuiteRun } from '../testing/suite-run.js';

jest.setTimeout(600_000);

/** How many scenarios each revision requires: a list that shrank would pass the rest and prove less. */
const REVISIONS = [
  ['2025-11-25', 30],
  ['2026-07-28', 37],
] as const;

/** What is called so that it is refused, and what only scenarios call that no revision requires. */
const REFUSED = {
  '2025-11-25': ['test_error_handling', 'test_reconnection'],
  '2026-07-28': [
    'test://nonexistent-resource-for-conformance-testing',
    'test_error_handling',
    'test_missing_capability',
    'test_tool_with_task',
  ],
};

/**
 * The suite looks at several streams only where there is a session to hold them together, and merely warns without one.
 * We keep none, so `answers several requests at once` below looks instead.
 */
const WARNED_ABOUT = { '2025-11-25': 'server-sse-multiple-streams', '2026-07-28': null };

let stack: AuthorizationStack;
let gatewayUrl: string;
let token: string;

beforeAll(async () => {
  stack = await authorizationStack();
  const gateway = await stack.start('mcp-gateway', { PERDURE_CONFORMANCE_FIXTURES: 'on' });
  gatewayUrl = gateway.url;
  // Everything that is listed to anyone: the suite checks the form of each tool.
  ({ token } = await stack.workspace.actor('suite', 'admin'));
});
afterAll(() => {
  stopTools();
  return stack.close();
});

describe.each(REVISIONS)('Server scenarios required by %s', (revision, count) => {
  let proxy: AuthorizingProxy;
  let run: SuiteRun;

  beforeAll(async () => {
    // The suite sends no credential.
    proxy = await authorizingProxy(gatewayUrl, token);
    run = await startSuite(['server', '--url', `${proxy.url}/mcp`, '--requirements', revision, '--timeout', '120000'])
      .ended;
  });
  afterAll(() => proxy.close());

  test(`there are ${count}`, () => {
    expect(requiredScenarios(revision)).toHaveLength(count);
  });

  test.each(requiredScenarios(revision))('%s', (scenario) => {
    const checks = run.checks.get(scenario);
    if (checks === undefined) throw new Error(`it did not run:\n${run.stdout}${run.stderr}`);
    expect(checks.filter(({ status }) => status === 'FAILURE')).toEqual([]);
    const proof = scenario === WARNED_ABOUT[revision] ? ['WARNING'] : ['SUCCESS'];
    expect(checks.map(({ status }) => status)).toEqual(expect.arrayContaining(proof));
  });

  test('whatever the suite called by name was there and answered, but for what is to be refused', () => {
    const answers = answersByName(proxy.seen);
    const refused = [...answers].filter(([, results]) => results.length === 0).map(([name]) => name);
    // Names of another form belong to the extension for tasks, which no revision requires.
    expect(refused.filter((name) => name.startsWith('test')).sort()).toEqual(REFUSED[revision]);
    expect(answers.get('test_simple_text')).toContainEqual(
      expect.objectContaining({ content: [{ type: 'text', text: 'This is a simple text response for testing.' }] }),
    );
  });

  test('answers several requests at once, each with its own answer', async () => {
    const ids = [1_000, 1_001, 1_002];
    const answers = await Promise.all(
      ids.map(async (id) => {
        const response = await fetch(`${proxy.url}/mcp`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
          body: JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/list' }),
        });
        return response.json();
      }),
    );
    expect(answers).toEqual(ids.map((id) => expect.objectContaining({ id, result: expect.anything() })));
  });
});
