import { catalogue, type MemberRole, ROLE_SCOPES } from '@perdure/contracts';
import { createDataSource } from '@perdure/store';
import {
  createTestInstallation,
  refusalOf,
  type TestActor,
  type TestInstallation,
  type TestWorkspace,
} from '@perdure/testkit';
import type { DataSource } from 'typeorm';
import { redeemSignInLink } from './sign-in-link.js';
import { mintToken, readTokenOf } from './token.js';

const { access } = catalogue;

describe('members', () => {
  let installation: TestInstallation;
  let workspace: TestWorkspace;
  let dataSource: DataSource;
  let now = new Date('2026-11-30T12:00:00.000Z');

  beforeAll(async () => {
    installation = await createTestInstallation({ clock: () => now });
    const url = installation.database.appUrl;
    dataSource = await createDataSource({ url, poolSize: 3, applicationName: 'perdure-sign-in' });
  });
  afterAll(async () => {
    await dataSource.destroy();
    await installation.close();
  });
  beforeEach(async () => {
    now = new Date('2026-11-30T12:00:00.000Z');
    workspace = await installation.workspace();
  });

  const invite = (email: string, role: MemberRole, by: TestActor = workspace.owner) =>
    installation.call(access.inviteMember, by, { email, role });
  const changeRole = (memberId: string, role: MemberRole, by: TestActor = workspace.owner) =>
    installation.call(access.changeMemberRole, by, { member_id: memberId, role });
  const remove = (memberId: string, by: TestActor = workspace.owner) =>
    installation.call(access.removeMember, by, { member_id: memberId, reason: 'left' });
  const membersOf = async (input = {}) => (await installation.call(access.listMembers, workspace.owner, input)).items;
  const tokenOf = (url: string | null) => new URL(url ?? '').searchParams.get('token') ?? '';
  const redeem = (token: string) => redeemSignInLink(dataSource, token, now.toISOString());

  /** A person who has joined, with a credential of their own. */
  async function joined(email: string, role: MemberRole): Promise<TestActor & { memberId: string }> {
    const { member, invitation_url } = await invite(email, role);
    await redeem(tokenOf(invitation_url));
    const { secret } = await installation.call(access.issueCredential, workspace.owner, {
      actor: email,
      scopes: [...ROLE_SCOPES[role]],
    });
    const caller = await installation.operations.authenticate(secret ?? '');
    if (secret === null || caller === null) throw new Error('the member cannot sign in');
    return { caller, token: secret, memberId: member.id };
  }

  it('I4: a workspace begins with its owner, whose credential stands for them', async () => {
    const [owner, ...others] = await membersOf();
    expect(others).toEqual([]);
    expect(owner).toMatchObject({
      actor: { name: 'owner', kind: 'person' },
      email: null,
      role: 'owner',
      status: 'active',
    });
    expect(workspace.owner.caller.member).toEqual({ id: owner?.id, role: 'owner' });
  });

  it('I4: an invitation is a link that works once, makes an active member and is written down', async () => {
    const { member, invitation_url } = await invite('Ada@Example.com', 'admin');
    expect(member).toMatchObject({ email: 'Ada@Example.com', actor: { name: 'ada@example.com', kind: 'person' } });
    expect([member.status, member.joined_at]).toEqual(['invited', null]);
    expect(invitation_url).toMatch(/^http:\/\/127\.0\.0\.1:7400\/sign-in\?token=prd_link_/);
    const token = tokenOf(invitation_url);
    expect(readTokenOf('link', token)).not.toBeNull();
    const [first, ...rest] = (await Promise.all(Array.from({ length: 5 }, () => redeem(token)))).filter(Boolean);
    expect(rest).toEqual([]);
    expect(first).toEqual({ workspaceId: workspace.id, memberId: member.id, role: 'admin', actor: member.actor });
    expect((await membersOf()).find(({ id }) => id === member.id)).toMatchObject({
      status: 'active',
      joined_at: now.toISOString(),
    });
    const { items } = await installation.call(catalogue.audit.listAuditEvents, workspace.owner, {
      subject_id: member.id,
    });
    expect(items.map(({ type }) => type).toSorted()).toEqual(['member.invited', 'member.joined']);
  });

  it('I4: a link ends after its time, with the next link and with the member; a made-up one was never one', async () => {
    const { member, invitation_url } = await invite('ada@example.com', 'member');
    const again = await invite('ADA@example.com', 'viewer');
    expect(again.member).toMatchObject({ id: member.id, role: 'viewer', status: 'invited' });
    expect(await redeem(tokenOf(invitation_url))).toBeNull();
    now = new Date('2026-12-07T12:00:00.000Z');
    expect(await redeem(tokenOf(again.invitation_url))).toBeNull();
    const last = await invite('ada@example.com', 'viewer');
    await remove(member.id);
    expect(await redeem(tokenOf(last.invitation_url))).toBeNull();
    expect(await redeem(mintToken('01K5ZQ8W3M9X7B2C4D6E8F0G1H', 'link').token)).toBeNull();
    expect(await redeem(workspace.owner.token)).toBeNull();
  });

  it('I4: the link of a member who has joined is for them and for owners to make', async () => {
    const ada = await joined('ada@example.com', 'admin');
    const eve = await joined('eve@example.com', 'admin');
    const { invitation_url } = await invite('ada@example.com', 'admin', ada);
    expect((await redeem(tokenOf(invitation_url)))?.memberId).toBe(ada.memberId);
    expect((await invite('ada@example.com', 'admin')).member.status).toBe('active');
    expect((await refusalOf(invite('ada@example.com', 'admin', eve))).code).toBe('conflict');
    expect((await refusalOf(invite('ada@example.com', 'viewer'))).code).toBe('conflict');
  });

  it('I4: fifty invitations of one address at once make one member', async () => {
    await Promise.all(Array.from({ length: 50 }, () => invite('many@example.com', 'viewer')));
    expect((await membersOf()).filter(({ email }) => email === 'many@example.com')).toHaveLength(1);
  });

  it('T4: the invitation url of a repeated call is null', async () => {
    const input = { email: 'twice@example.com', role: 'viewer', idempotency_key: 'k' } as const;
    const first = await installation.call(access.inviteMember, workspace.owner, input);
    const second = await installation.call(access.inviteMember, workspace.owner, input);
    expect(second).toEqual({ ...first, invitation_url: null });
    expect(await redeem(tokenOf(first.invitation_url))).not.toBeNull();
  });

  it('I4: only owners make, change, invite and remove owners, or revoke and rotate what is theirs', async () => {
    const ada = await joined('ada@example.com', 'admin');
    const [owner] = await membersOf();
    const ownerId = owner?.id ?? '';
    const credential_id = workspace.owner.caller.credentialId;
    const attempts = [
      () => invite('eve@example.com', 'owner', ada),
      () => changeRole(ada.memberId, 'owner', ada),
      () => changeRole(ownerId, 'viewer', ada),
      () => remove(ownerId, ada),
      () => installation.call(access.revokeCredential, ada, { credential_id, reason: 'x' }),
      () => installation.call(access.rotateCredential, ada, { credential_id }),
      () => installation.call(access.issueCredential, ada, { actor: 'owner', preset: 'agent' }),
    ];
    for (const attempt of attempts) expect((await refusalOf(attempt())).code).toBe('forbidden');
  });

  it('I5: nobody makes a member, or takes over a credential, that may do more than themselves', async () => {
    const { secret } = await installation.call(access.issueCredential, workspace.owner, {
      actor: 'gatekeeper',
      scopes: ['access:read', 'access:write'],
    });
    const caller = await installation.operations.authenticate(secret ?? '');
    if (caller === null) throw new Error('a new credential is not accepted');
    const gatekeeper = { caller, token: secret ?? '' };
    expect((await refusalOf(invite('eve@example.com', 'viewer', gatekeeper))).code).toBe('forbidden_scope');
    const agent = await workspace.actor('agent');
    const rotated = installation.call(access.rotateCredential, gatekeeper, {
      credential_id: agent.caller.credentialId,
    });
    expect((await refusalOf(rotated)).code).toBe('forbidden_scope');
  });

  it('I4: the last owner stays, also when two demote each other at the same moment', async () => {
    const [owner] = await membersOf();
    const ownerId = owner?.id ?? '';
    expect((await refusalOf(remove(ownerId))).code).toBe('last_owner');
    expect((await refusalOf(changeRole(ownerId, 'admin'))).code).toBe('last_owner');
    await invite('waiting@example.com', 'owner');
    expect((await refusalOf(remove(ownerId))).code).toBe('last_owner');
    const ada = await joined('ada@example.com', 'owner');
    const outcomes = await Promise.allSettled([changeRole(ada.memberId, 'viewer'), changeRole(ownerId, 'viewer', ada)]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const left = (await membersOf()).filter(({ role, status }) => role === 'owner' && status === 'active');
    expect(left).toHaveLength(1);
  });

  it('I4: a removed member’s credentials are revoked, and they can come back as somebody new', async () => {
    const ada = await joined('ada@example.com', 'member');
    const { member } = await remove(ada.memberId);
    expect(member).toMatchObject({ status: 'removed', removed_at: now.toISOString() });
    expect(await installation.operations.authenticate(ada.token)).toBeNull();
    expect((await remove(ada.memberId)).member).toEqual(member);
    expect((await refusalOf(changeRole(ada.memberId, 'viewer'))).code).toBe('conflict');
    const back = await invite('ada@example.com', 'viewer');
    expect(back.member.id).not.toBe(ada.memberId);
    expect(back.member.actor).toEqual(ada.caller.actor);
    const statuses = async (input = {}) => (await membersOf(input)).map(({ status }) => status);
    expect(await statuses()).toEqual(['active', 'invited']);
    expect(await statuses({ include_removed: true })).toEqual(['active', 'removed', 'invited']);
    const { items } = await installation.call(catalogue.audit.listAuditEvents, workspace.owner, {
      type: 'member.removed',
    });
    expect(items).toHaveLength(1);
  });

  it('I4: an agent’s name is not taken over by an invitation, nor a person’s by a credential', async () => {
    await workspace.actor('robot@example.com');
    expect((await refusalOf(invite('robot@example.com', 'admin'))).code).toBe('conflict');
    const ada = await joined('ada@example.com', 'admin');
    await joined('eve@example.com', 'viewer');
    const stolen = installation.call(access.issueCredential, ada, { actor: 'eve@example.com', preset: 'reporter' });
    expect((await refusalOf(stolen)).code).toBe('forbidden');
  });

  it.each(['viewer', 'member', 'admin', 'owner'] as const)('I4: a %s may do what their role says', async (role) => {
    const person = await joined(`${role}@example.com`, role);
    expect([...person.caller.scopes].toSorted()).toEqual([...ROLE_SCOPES[role]].toSorted());
    const reads = [...person.caller.scopes].every((scope) => scope.endsWith(':read'));
    expect(reads).toBe(role === 'viewer');
  });
});
