import { allOperations } from '@perdure/contracts';
import { freePort } from '@perdure/stack/services';
import { approvingPerson } from '../testing/approving-person.js';
import { authorizationStack, type AuthorizationStack } from '../testing/authorization-stack.js';
import { startChromium } from '../testing/chromium.js';
import { inspector, type Inspector } from '../testing/inspector.js';
import { stopTools, type Ended } from '../testing/outside-tools.js';

/** Chromium may have to be installed first. */
jest.setTimeout(600_000);

const ALL_TOOL_SETS = [...new Set(allOperations.map(({ toolSet }) => toolSet))].join(',');

let stack: AuthorizationStack;
let program: Inspector;
let url: string;

beforeAll(async () => {
  stack = await authorizationStack();
  program = inspector();
  url = `${stack.gateway.url}/mcp?toolsets=${ALL_TOOL_SETS}`;
});
afterAll(async () => {
  stopTools();
  program.close();
  await stack.close();
});

const bearer = (token: string) => ['--header', `Authorization: Bearer ${token}`];

const CALL_WHO_AM_I = ['--method', 'tools/call', '--tool-name', 'who_am_i', '--tool-args-json', '{}'];

/** What it printed as its result; throws with all that it said when it ended in another way. */
function resultOf<Result>({ code, stdout, stderr }: Ended): Result {
  if (code !== 0) throw new Error(`the inspector ended with ${code}:\n${stdout}\n${stderr}`);
  return (JSON.parse(stdout) as { result: Result }).result; // asserted on
}

const actorIn = (ended: Ended) =>
  resultOf<{ structuredContent?: { actor?: { name?: string } } }>(ended).structuredContent?.actor?.name;

/** Tools whose arguments have a place of no fixed form: what it says of those is no fault. */
const OPEN_ARGUMENTS = ['run_operation'];

const complainedOf = ({ stderr }: Ended): string[] =>
  [...stderr.matchAll(/tool "(\w+)"\n\s*Path: inputSchema/g)].map(([, name = '']) => name);

describe('MCP Inspector', () => {
  test.each(['legacy', 'modern'])('finds no fault in the schema of any tool, speaking the %s protocol', async (era) => {
    const { token: admin } = await stack.workspace.actor('inspector', 'admin');
    const { token: measurer } = await stack.workspace.actor('inspecting-measurer', 'measurer');
    const listed = new Set<string>();
    for (const token of [admin, measurer, stack.installation.platform.token]) {
      // With --strict it ends with 6 when a schema has a fault.
      const args = ['--method', 'tools/list', '--strict', '--protocol-era', era, ...bearer(token)];
      const ended = await program.start(url, args).ended;
      for (const { name } of resultOf<{ tools: { name: string }[] }>(ended).tools) listed.add(name);
      expect(complainedOf(ended).filter((name) => !OPEN_ARGUMENTS.includes(name))).toEqual([]);
    }
    const expected = [...allOperations.map(({ name }) => name), 'find_operations', 'run_operation'];
    expect([...listed].sort()).toEqual(expected.sort());
  });

  test('calls a tool with a bearer token', async () => {
    const { token } = await stack.workspace.actor('inspecting-agent');
    expect(actorIn(await program.start(url, [...CALL_WHO_AM_I, ...bearer(token)]).ended)).toBe('inspecting-agent');
  });

  test('is told that it needs a credential', async () => {
    const { code, stderr } = await program.start(url, [...CALL_WHO_AM_I, '--stored-auth-only']).ended;
    expect([code, stderr]).toEqual([3, expect.stringContaining('auth_required')]);
  });

  test('has a person approve it in a browser, and calls a tool as a credential of its own', async () => {
    const chromium = await startChromium();
    try {
      const person = await approvingPerson(chromium, stack, { name: 'ada', role: 'member' });
      const callback = `http://127.0.0.1:${await freePort()}/oauth/callback`;
      const running = program.start(url, [...CALL_WHO_AM_I, '--callback-url', callback]);
      const asked = await running.printed(/http\S+\/oauth\/authorize\?\S+(?=\s)/);
      if (asked !== null) await person.approve(asked);
      expect(actorIn(await running.ended)).toMatch(/^ada@example\.com \/ /);
    } finally {
      await chromium.close();
    }
  });
});
