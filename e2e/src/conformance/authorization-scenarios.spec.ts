import { freePort } from '@perdure/stack/services';
import type { Browser } from 'playwright-core';
import { approvingPerson } from '../testing/approving-person.js';
import { authorizationStack, type AuthorizationStack } from '../testing/authorization-stack.js';
import { startChromium } from '../testing/chromium.js';
import { OauthClient } from '../testing/oauth-client.js';
import { stopTools } from '../testing/outside-tools.js';
import { startSuite, type SuiteRun } from '../testing/suite-run.js';

/** Chromium may have to be installed first. */
jest.setTimeout(600_000);

/** Every check of the suite for authorization servers, after the scenario it belongs to. */
const CHECKS = [
  ['authorization-server-metadata-endpoint', 'authorization-server-metadata'],
  ['authorization-server-metadata-endpoint', 'authorization-server-metadata-cimd'],
  ['authorization-code-grant', 'authorization-code-grant'],
] as const;

let stack: AuthorizationStack;
let chromium: Browser;
let run: SuiteRun;

beforeAll(async () => {
  stack = await authorizationStack();
  chromium = await startChromium();
  const person = await approvingPerson(chromium, stack, { name: 'ada', role: 'member' });
  const { clientId } = await OauthClient.register(stack.gateway.url, { client_name: 'Conformance suite' });
  const issuer = stack.gateway.url;
  const about = ['--url', issuer, '--client-id', clientId, '--resource', `${issuer}/mcp`];
  const suite = startSuite(['authorization', ...about, '--port', String(await freePort())]);
  // It prints where a person has to go, and waits.
  const asked = await suite.printed(/http\S+\/oauth\/authorize\?\S+(?=\s)/);
  if (asked !== null) await person.approve(asked);
  run = await suite.ended;
});
afterAll(async () => {
  stopTools();
  await chromium.close();
  await stack.close();
});

describe('Authorization scenarios', () => {
  test.each(CHECKS)('%s: %s', (scenario, id) => {
    const checks = run.checks.get(scenario);
    if (checks === undefined) throw new Error(`it did not run:\n${run.stdout}${run.stderr}`);
    expect(checks).toContainEqual(expect.objectContaining({ id, status: 'SUCCESS' }));
  });

  test('no other check is there, and none failed', () => {
    const all = [...run.checks].flatMap(([scenario, checks]) => checks.map(({ id, status }) => [scenario, id, status]));
    expect(all.sort()).toEqual(CHECKS.map((check) => [...check, 'SUCCESS']).sort());
  });
});
