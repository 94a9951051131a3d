import { catalogue, type MemberRole } from '@perdure/contracts';
import type { TestApp, TestWorkspace } from '@perdure/testkit';
import { Browser } from './browser.js';
import { REDIRECT_URI } from './oauth-client.js';
import { wholeStack, type WholeStack } from './whole-stack.js';

export interface AuthorizationStack extends WholeStack {
  readonly workspace: TestWorkspace;
  /** One that serves MCP and is its own issuer. */
  readonly gateway: TestApp;
  /** A browser in which a new member of that role is signed in. */
  readonly signedIn: (role: MemberRole, name: string) => Promise<Browser>;
  /** The one-time link of a new member. */
  readonly invite: (role: MemberRole, name: string) => Promise<string>;
  /** Calls a tool; answers with the HTTP response. */
  readonly callTool: (url: string, token: string, name: string, input?: object) => Promise<Response>;
}

export async function authorizationStack(env: Readonly<Record<string, string>> = {}): Promise<AuthorizationStack> {
  // Unset: each gateway is the resource at its own address.
  const stack = await wholeStack({ env: { PERDURE_MCP_URL: '', ...env } });
  const workspace = await stack.installation.workspace();
  const gateway = await stack.start('mcp-gateway');
  const invite = async (role: MemberRole, name: string): Promise<string> => {
    const input = { email: `${name}@example.com`, role };
    const { invitation_url } = await stack.installation.call(catalogue.access.inviteMember, workspace.owner, input);
    if (invitation_url === null) throw new Error('an invitation came without its link');
    return new URL(invitation_url).searchParams.get('token') ?? '';
  };
  return {
    ...stack,
    workspace,
    gateway,
    invite,
    signedIn: async (role, name) => {
      const browser = new Browser([REDIRECT_URI, 'http://127.0.0.1:1']);
      const token = await invite(role, name);
      const page = await browser.open(`${gateway.url}/sign-in?token=${token}`);
      const account = await browser.submit(page);
      if (!account.url.endsWith('/account')) throw new Error(`signing in led to ${account.url}: ${account.text}`);
      return browser;
    },
    callTool: (url, token, name, input = {}) =>
      fetch(`${url}/mcp`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2025-11-25',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } }),
      }),
  };
}
