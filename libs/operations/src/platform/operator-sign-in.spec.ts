import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { catalogue } from '@perdure/contracts';
import { createDataSource } from '@perdure/store';
import { createTestInstallation, type TestInstallation, type TestWorkspace } from '@perdure/testkit';
import { redeemSignInLink } from '../access/sign-in-link.js';
import { operatorSignInUrl } from './operator-sign-in.js';

const ROOT = path.join(__dirname, '..', '..', '..', '..');
const API_URL = 'https://perdure.example.com';

describe('a sign-in link made by the operator', () => {
  let installation: TestInstallation;
  let workspace: TestWorkspace;

  beforeAll(async () => {
    installation = await createTestInstallation();
    workspace = await installation.workspace();
  });
  afterAll(() => installation.close());

  const make = (email?: string) =>
    operatorSignInUrl({ ownerUrl: installation.database.ownerUrl, workspace: workspace.id, email, apiUrl: API_URL });

  async function redeem(url: string) {
    const dataSource = await createDataSource({
      url: installation.database.appUrl,
      poolSize: 1,
      applicationName: 'perdure-sign-in',
    });
    try {
      const token = new URL(url).searchParams.get('token') ?? '';
      return await redeemSignInLink(dataSource, token, new Date().toISOString());
    } finally {
      await dataSource.destroy();
    }
  }

  it('I4: lets the owner in, and the workspace’s own chain says who made it', async () => {
    expect((await redeem(await make()))?.memberId).toBe(workspace.owner.caller.member?.id);
    const { items } = await installation.call(catalogue.audit.listAuditEvents, workspace.owner, {
      type: 'member.sign_in_link_made',
      actor: 'operator',
    });
    expect(items).toHaveLength(1);
  });

  it('I4: lets in the member who is named, and nobody who is none', async () => {
    const { member } = await installation.call(catalogue.access.inviteMember, workspace.owner, {
      email: 'ada@example.com',
      role: 'viewer',
    });
    expect((await redeem(await make('ADA@example.com')))?.memberId).toBe(member.id);
    await expect(make('eve@example.com')).rejects.toThrow('is no member');
    const elsewhere = operatorSignInUrl({
      ownerUrl: installation.database.ownerUrl,
      workspace: 'nowhere',
      apiUrl: API_URL,
    });
    await expect(elsewhere).rejects.toThrow('no workspace');
  });

  it('I4: the command prints the link, or what is missing', async () => {
    const command = (argv: string[], env: Record<string, string>) =>
      promisify(execFile)(
        process.execPath,
        [
          '--conditions=@perdure/source',
          '--require',
          path.join(ROOT, 'jest.source-hook.cjs'),
          path.join(ROOT, 'libs/operations/src/sign-in-link-command.ts'),
          ...argv,
        ],
        { env: { PATH: process.env['PATH'], ...env } },
      );
    const env = { PERDURE_DATABASE_OWNER_URL: installation.database.ownerUrl, PERDURE_API_URL: `${API_URL}/` };
    const { stdout } = await command(['--workspace', workspace.id], env);
    expect(stdout).toMatch(/^https:\/\/perdure\.example\.com\/sign-in\?token=prd_link_\w+\n$/);
    await expect(command([], {})).rejects.toMatchObject({ code: 78 });
    await expect(command(['--workspace', 'nowhere'], env)).rejects.toMatchObject({ code: 1 });
  });
});
