import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { authorizationStack, type AuthorizationStack } from './testing/authorization-stack.js';
import { complaintsOf, startChromium } from './testing/chromium.js';
import { OauthClient, tokensIn } from './testing/oauth-client.js';

/** Chromium may have to be installed first. */
jest.setTimeout(600_000);

let stack: AuthorizationStack;
let chromium: Browser;
let program: Server;
let redirectUri: string;
let answers: URL[] = [];

beforeAll(async () => {
  stack = await authorizationStack();
  chromium = await startChromium();
  // The program of a person: it waits for its answer on loopback, as command line clients do.
  program = createServer((request, response) => {
    if (request.url?.startsWith('/callback') === true) answers.push(new URL(request.url, redirectUri));
    response.end('you can close this window');
  });
  program.listen(0, '127.0.0.1');
  await once(program, 'listening');
  redirectUri = `http://127.0.0.1:${(program.address() as AddressInfo).port}/callback`; // a listening server has one
});
afterAll(async () => {
  await chromium.close();
  program.close();
  await stack.close();
});
beforeEach(() => {
  answers = [];
});

async function signedIn(name: string): Promise<{ context: BrowserContext; page: Page; complaints: string[] }> {
  const context = await chromium.newContext();
  const page = await context.newPage();
  const complaints = complaintsOf(page);
  await page.goto(`${stack.gateway.url}/sign-in?token=${await stack.invite('member', name)}`);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(`${stack.gateway.url}/account`);
  return { context, page, complaints };
}

const registered = async (metadata: Readonly<Record<string, unknown>> = {}) => {
  const { clientId } = await OauthClient.register(stack.gateway.url, metadata);
  return OauthClient.known(stack.gateway.url, clientId, redirectUri);
};

test('I3, I4: in Chromium a person signs in by a link, approves a program, sees it listed and revokes it', async () => {
  const { context, page, complaints } = await signedIn('ada');
  const cookies = await context.cookies();
  expect(cookies.length).toBeGreaterThan(0);
  expect(cookies.every(({ httpOnly, sameSite }) => httpOnly && sameSite === 'Lax')).toBe(true);

  const client = await registered({ client_name: 'Code Editor' });
  await page.goto(client.authorizeUrl());
  await page.getByRole('heading', { name: 'May Code Editor act for you?' }).waitFor();
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByText('you can close this window').waitFor();
  const tokens = tokensIn(await client.redeem(answers.at(-1)?.searchParams.get('code') ?? ''));
  expect((await stack.callTool(stack.gateway.url, tokens.access_token, 'who_am_i')).status).toBe(200);

  await page.goto(`${stack.gateway.url}/account`);
  await page.getByRole('cell', { name: 'Code Editor' }).waitFor();
  await page.getByRole('button', { name: 'Revoke' }).click();
  await page.getByText('None. A program appears here once you approve it.').waitFor();
  expect((await client.refresh(tokens.refresh_token)).status).toBe(400);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('Sign-in link').waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test('I3: a person who is not signed in signs in on the way, by pasting a link, and can deny', async () => {
  const context = await chromium.newContext();
  const page = await context.newPage();
  const client = await registered();
  await page.goto(client.authorizeUrl());
  const link = `${stack.gateway.url}/sign-in?token=${await stack.invite('member', 'bob')}`;
  await page.getByLabel('Sign-in link').fill(link);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Deny' }).click();
  await page.getByText('you can close this window').waitFor();
  expect(answers.at(-1)?.searchParams.get('error')).toBe('access_denied');
  await context.close();
});

test('I3: a program that calls itself a script is shown as what it wrote, without what hides or reorders text', async () => {
  const { context, page, complaints } = await signedIn('cem');
  const client = await registered({ client_name: '<img src=x onerror=alert(1)>\u202Egpj.\u200Bexe\u0007' });
  await page.goto(client.authorizeUrl());
  await page.getByRole('heading', { name: 'May <img src=x onerror=alert(1)>gpj.exe act for you?' }).waitFor();
  expect(await page.locator('img').count()).toBe(0);
  expect(complaints).toEqual([]);
  await context.close();
});

test('I4: no page of ours can be framed', async () => {
  const { context, page } = await signedIn('dan');
  await page.goto(redirectUri.replace('/callback', '/'));
  const refused = page.waitForEvent('console', (message) => message.text().includes('frame-ancestors'));
  await page.setContent(`<iframe src="${stack.gateway.url}/account"></iframe>`);
  await refused;
  const texts = await Promise.all(page.frames().map((frame) => frame.locator('body').textContent()));
  expect(texts.join()).not.toContain('Programs that act for you');
  await context.close();
});

test.each([360, 1440])('F6: at %i pixels nothing of the pages stands outside the window', async (width) => {
  const { context, page } = await signedIn(`eva-${width}`);
  await page.setViewportSize({ width, height: 800 });
  const client = await registered({ client_name: 'A program with a long name that goes on and on and on and on' });
  for (const url of [`${stack.gateway.url}/account`, `${stack.gateway.url}/sign-in`, client.authorizeUrl()]) {
    await page.goto(url);
    expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true);
  }
  await context.close();
});
