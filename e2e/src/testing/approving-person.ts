import type { Browser, BrowserContext } from 'playwright-core';
import type { MemberRole } from '@perdure/contracts';
import type { AuthorizationStack } from './authorization-stack.js';

/** Somebody who signed in once and approves the programs that send them to a page. */
export interface ApprovingPerson {
  /** Opens the page that a program asked for, and approves; resolves when the program has shown that it got its answer. */
  readonly approve: (url: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

export async function approvingPerson(
  chromium: Browser,
  stack: AuthorizationStack,
  { name, role }: { readonly name: string; readonly role: MemberRole },
): Promise<ApprovingPerson> {
  const context: BrowserContext = await chromium.newContext();
  const page = await context.newPage();
  await page.goto(`${stack.gateway.url}/sign-in?token=${await stack.invite(role, name)}`);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(`${stack.gateway.url}/account`);
  return {
    approve: async (url) => {
      await page.goto(url);
      await page.getByRole('button', { name: 'Approve' }).click();
      await page.waitForURL((now) => now.origin !== new URL(stack.gateway.url).origin);
    },
    close: () => context.close(),
  };
}
