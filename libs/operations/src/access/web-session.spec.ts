import { createDataSource } from '@perdure/store';
import { createTestInstallation, type TestInstallation, type TestWorkspace } from '@perdure/testkit';
import { catalogue } from '@perdure/contracts';
import { Client } from 'pg';
import type { DataSource } from 'typeorm';
import { redeemSignInLink, type SignedInMember } from './sign-in-link.js';
import { endWebSession, findSignedInPerson, listWebSessions, startWebSession } from './web-session.js';

const HOUR = 3_600_000;

describe('sessions of people', () => {
  let installation: TestInstallation;
  let workspace: TestWorkspace;
  let dataSource: DataSource;
  let ada: SignedInMember;
  const start = new Date('2026-12-01T08:00:00.000Z');
  const after = (milliseconds: number) => new Date(start.getTime() + milliseconds);

  beforeAll(async () => {
    installation = await createTestInstallation();
    workspace = await installation.workspace();
    dataSource = await createDataSource({ url: installation.database.appUrl, poolSize: 2, applicationName: 'test' });
    ada = await member('ada@example.com');
  });
  afterAll(async () => {
    await dataSource.destroy();
    await installation.close();
  });

  async function member(email: string): Promise<SignedInMember> {
    const input = { email, role: 'member' as const };
    const { invitation_url } = await installation.call(catalogue.access.inviteMember, workspace.owner, input);
    const token = new URL(invitation_url ?? '').searchParams.get('token') ?? '';
    const joined = await redeemSignInLink(dataSource, token, new Date().toISOString());
    if (joined === null) throw new Error('an invitation did not work');
    return joined;
  }

  const begin = (who: SignedInMember = ada) => startWebSession(dataSource, who, 'Browser\n1.0', start);
  const find = (token: string, at = start) => findSignedInPerson(dataSource, token, at);

  it('I4: the cookie finds its person; a changed or made-up one finds nobody', async () => {
    const token = await begin();
    expect(await find(token)).toMatchObject({
      workspaceId: workspace.id,
      memberId: ada.memberId,
      role: 'member',
      name: 'ada@example.com',
    });
    expect(await find(token.slice(0, -1))).toBeNull();
    expect(await find(token.replace('prd_session_', 'prd_live_'))).toBeNull();
    expect(await find((await begin()).slice(0, 38) + token.slice(38))).toBeNull();
    expect(await installation.operations.authenticate(token)).toBeNull();
  });

  it('I4: unused for twelve hours it is over; used, it lasts a week and no longer', async () => {
    const idle = await begin();
    expect(await find(idle, after(12 * HOUR))).not.toBeNull();
    const left = await begin();
    expect(await find(left, after(12 * HOUR + 1))).toBeNull();
    const used = await begin();
    for (let hours = 10; hours < 7 * 24; hours += 10) expect(await find(used, after(hours * HOUR))).not.toBeNull();
    expect(await find(used, after(7 * 24 * HOUR))).toBeNull();
  });

  it('I4: a person sees their sessions and ends them, and nobody else’s', async () => {
    const bob = await member('bob@example.com');
    const token = await begin(bob);
    const listed = await listWebSessions(dataSource, bob, start);
    expect(listed).toEqual([expect.objectContaining({ user_agent: 'Browser?1.0', created_at: start.toISOString() })]);
    const id = listed[0]?.id ?? '';
    await endWebSession(dataSource, ada, id, start);
    expect(await find(token)).not.toBeNull();
    await endWebSession(dataSource, bob, id, start);
    expect(await find(token)).toBeNull();
    expect(await listWebSessions(dataSource, bob, start)).toEqual([]);
  });

  it('I4: whoever is removed is signed out everywhere', async () => {
    const cem = await member('cem@example.com');
    const token = await begin(cem);
    await installation.call(catalogue.access.removeMember, workspace.owner, {
      member_id: cem.memberId,
      reason: 'left',
    });
    expect(await find(token)).toBeNull();
  });

  it('I2: the database has no cookie', async () => {
    const token = await begin();
    const client = new Client({ connectionString: installation.database.superuserUrl });
    await client.connect();
    const { rows } = await client.query('SELECT to_jsonb(s)::text AS row FROM web_session s');
    await client.end();
    expect(JSON.stringify(rows)).not.toContain(token.slice(39));
  });
});
