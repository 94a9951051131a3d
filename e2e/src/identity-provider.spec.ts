import { catalogue } from '@perdure/contracts';
import type { TestApp, TestWorkspace } from '@perdure/testkit';
import { Browser, type Answered } from './testing/browser.js';
import { testIdentityProvider, type TestIdentityProvider } from './testing/identity-provider.js';
import { wholeStack, type WholeStack } from './testing/whole-stack.js';

let stack: WholeStack;
let provider: TestIdentityProvider;
let api: TestApp;
let acme: TestWorkspace;
let beta: TestWorkspace;

beforeAll(async () => {
  provider = await testIdentityProvider();
  stack = await wholeStack();
  [acme, beta] = [await stack.installation.workspace('acme'), await stack.installation.workspace('beta')];
  const slugs = await Promise.all([acme, beta].map((one) => slugOf(one)));
  api = await stack.start('api', {
    PERDURE_OIDC_ISSUER: provider.issuer,
    PERDURE_OIDC_CLIENT_ID: 'perdure',
    PERDURE_OIDC_CLIENT_SECRET: 'of-the-tests',
    PERDURE_OIDC_SCOPE: 'openid email groups',
    PERDURE_OIDC_NAME: 'Example SSO',
    PERDURE_OIDC_GROUPS: `platform=${slugs[0]}:admin, engineering=${slugs[0]}:member, research=${slugs[1]}:viewer`,
  });
  await provider.expect(`${api.url}/sign-in/oidc/callback`);
});
afterAll(async () => {
  await stack.close();
  await provider.close();
});

const slugOf = async ({ owner }: TestWorkspace) =>
  (await stack.installation.call(catalogue.access.whoAmI, owner, {})).workspace.slug;

const memberOf = async ({ owner }: TestWorkspace, email: string) =>
  (await stack.installation.call(catalogue.access.listMembers, owner, {})).items.find((one) => one.email === email);

/** At the identity provider: a name is typed in, and what this installation may learn is agreed to. */
async function signIn(browser: Browser, name: string, from = `${api.url}/sign-in/oidc`): Promise<Answered> {
  const login = await browser.open(from);
  const agreed = await browser.submit(login, { login: name, password: 'x' });
  return agreed.url.startsWith(provider.issuer) ? browser.submit(agreed) : agreed;
}

test('I4: the sign-in page offers the identity provider by its name', async () => {
  const page = await new Browser().open(`${api.url}/sign-in?then=/account`);
  expect(page.text).toContain('Continue with Example SSO');
  expect(page.text).toContain('href="/sign-in/oidc?then=/account"');
});

test('I4: groups make a member with the highest role they stand for, and change it at the next sign-in', async () => {
  const account = await signIn(new Browser(), '1|grace@example.com|verified|engineering,platform');
  expect(account.url).toBe(`${api.url}/account`);
  expect(account.text).toMatch(/grace@example\.com[\s\S]*admin of <strong>acme/);
  expect(await memberOf(acme, 'grace@example.com')).toMatchObject({ role: 'admin', status: 'active' });
  await signIn(new Browser(), '1|grace@example.com|verified|engineering');
  expect(await memberOf(acme, 'grace@example.com')).toMatchObject({ role: 'member' });
});

test('I4: members are known by their subject: another address is still them, and their address is nobody else', async () => {
  await signIn(new Browser(), '2|hana@example.com|verified|engineering');
  const hana = await memberOf(acme, 'hana@example.com');
  const renamed = await signIn(new Browser(), '2|hana.new@example.com|verified|engineering');
  expect(renamed.text).toContain('hana@example.com');
  const other = await signIn(new Browser(), '3|hana@example.com|verified|');
  expect([other.status, other.text]).toEqual([403, expect.stringContaining('no member of a workspace')]);
  expect(await memberOf(acme, 'hana@example.com')).toEqual(hana);
});

test('I4: an invitation is taken by a verified address, not by a claimed one', async () => {
  await stack.installation.call(catalogue.access.inviteMember, beta.owner, {
    email: 'ivy@example.com',
    role: 'member',
  });
  const claimed = await signIn(new Browser(), '4|ivy@example.com|no|');
  expect(claimed.status).toBe(403);
  expect(await memberOf(beta, 'ivy@example.com')).toMatchObject({ status: 'invited' });
  expect((await signIn(new Browser(), '5|ivy@example.com|verified|')).url).toBe(`${api.url}/account`);
  expect(await memberOf(beta, 'ivy@example.com')).toMatchObject({ status: 'active', role: 'member' });
});

test('I4: a member of several workspaces chooses one', async () => {
  const browser = new Browser();
  const choice = await signIn(browser, '6|jo@example.com|verified|engineering,research');
  expect(choice.text).toContain('Which workspace?');
  const account = await browser.submit(choice, { workspace: beta.id });
  expect(account.text).toMatch(/viewer of <strong>beta/);
  // The choice was made: the form of before is of no use any more.
  expect((await browser.submit(choice, { workspace: acme.id })).status).toBe(403);
});

test('I4: no group makes or unmakes an owner', async () => {
  await stack.installation.call(catalogue.access.inviteMember, acme.owner, { email: 'kim@example.com', role: 'owner' });
  await signIn(new Browser(), '7|kim@example.com|verified|engineering');
  expect(await memberOf(acme, 'kim@example.com')).toMatchObject({ role: 'owner', status: 'active' });
});

test('I4: an answer without its attempt, twice or with another state signs nobody in', async () => {
  const browser = new Browser([`${api.url}/sign-in/oidc/callback`]);
  const answer = await signIn(browser, '8|lee@example.com|verified|engineering');
  expect(answer.url).toContain('/sign-in/oidc/callback?');
  expect((await new Browser().open(answer.url)).status).toBe(400);
  const forged = await following(browser).open(answer.url.replace(/state=[^&]+/, 'state=forged'));
  expect(forged.status).toBe(400);
  expect((await following(browser).open(answer.url)).status).toBe(400);
  expect(Object.keys(browser.cookiesFor(api.url)).some((name) => name.startsWith('perdure_session'))).toBe(false);
});

/** The same browser, which goes on where it had stopped. */
const following = (browser: Browser): Browser => browser.notStopping();

test('I4: while the identity provider is away, links still work', async () => {
  const away = await stack.start('api', {
    PERDURE_OIDC_ISSUER: 'http://127.0.0.1:9',
    PERDURE_OIDC_CLIENT_ID: 'perdure',
  });
  const page = await new Browser().open(`${away.url}/sign-in/oidc`);
  expect([page.status, page.text]).toEqual([503, expect.stringContaining('does not answer')]);
  expect(page.text).toContain('name="token"');
});
