import { catalogue } from '@perdure/contracts';
import { createTestInstallation, refusalOf, type TestInstallation, type TestWorkspace } from '@perdure/testkit';

const { access } = catalogue;

describe('rotation and revocation', () => {
  let installation: TestInstallation;
  let workspace: TestWorkspace;
  let now = new Date('2026-11-30T12:00:00.000Z');

  beforeAll(async () => {
    installation = await createTestInstallation({ clock: () => now });
  });
  afterAll(() => installation.close());
  beforeEach(async () => {
    now = new Date('2026-11-30T12:00:00.000Z');
    workspace = await installation.workspace();
  });

  const isAccepted = async (token: string | null) => (await installation.operations.authenticate(token ?? '')) !== null;
  const rotate = (credential_id: string, overlap_minutes?: number) =>
    installation.call(access.rotateCredential, workspace.owner, {
      credential_id,
      ...(overlap_minutes === undefined ? {} : { overlap_minutes }),
    });
  const revoke = (credential_id: string, reason = 'leaked') =>
    installation.call(access.revokeCredential, workspace.owner, { credential_id, reason });
  const minutesLater = (minutes: number) => (now = new Date(now.getTime() + minutes * 60_000));
  const eventsAbout = async (subject_id: string) =>
    (await installation.call(catalogue.audit.listAuditEvents, workspace.owner, { subject_id })).items;

  it('I2: the old secret is taken until the overlap ends, the new one from now on', async () => {
    const { token, caller } = await workspace.actor('a');
    const { credential, secret } = await rotate(caller.credentialId, 60);
    expect(credential).toMatchObject({
      id: caller.credentialId,
      last_four: secret?.slice(-4),
      old_secret_valid_until: '2026-11-30T13:00:00.000Z',
    });
    expect([await isAccepted(token), await isAccepted(secret)]).toEqual([true, true]);
    minutesLater(59.99);
    expect(await isAccepted(token)).toBe(true);
    minutesLater(0.01);
    expect([await isAccepted(token), await isAccepted(secret)]).toEqual([false, true]);
    const { items } = await installation.call(access.listCredentials, workspace.owner, {});
    expect(items.find(({ id }) => id === caller.credentialId)?.old_secret_valid_until).toBeNull();
  });

  it('I2: a day unless said otherwise, none with 0, and never beyond the expiry', async () => {
    const { caller } = await workspace.actor('a');
    expect((await rotate(caller.credentialId)).credential.old_secret_valid_until).toBe('2026-12-01T12:00:00.000Z');
    const { token, caller: other } = await workspace.actor('b');
    const { secret, credential } = await rotate(other.credentialId, 0);
    expect(credential.old_secret_valid_until).toBeNull();
    expect([await isAccepted(token), await isAccepted(secret)]).toEqual([false, true]);
    const short = await installation.call(access.issueCredential, workspace.owner, {
      actor: 'c',
      preset: 'reporter',
      expires_at: '2026-11-30T12:30:00Z',
    });
    const rotated = await rotate(short.credential.id, 60);
    expect(rotated.credential.old_secret_valid_until).toBe('2026-11-30T12:30:00.000Z');
  });

  it('I2: rotating again ends the secret of the earlier overlap', async () => {
    const { token, caller } = await workspace.actor('a');
    const second = await rotate(caller.credentialId, 60);
    const third = await rotate(caller.credentialId, 60);
    const accepted = [await isAccepted(token), await isAccepted(second.secret), await isAccepted(third.secret)];
    expect(accepted).toEqual([false, true, true]);
  });

  it('I2: of many rotations at once exactly the last two secrets remain', async () => {
    const { caller } = await workspace.actor('a');
    const rotations = await Promise.all(Array.from({ length: 8 }, () => rotate(caller.credentialId, 60)));
    const accepted = await Promise.all(rotations.map(({ secret }) => isAccepted(secret)));
    expect(accepted.filter(Boolean)).toHaveLength(2);
  });

  it('I2: revoking ends both secrets, once, with its reason', async () => {
    const { token, caller } = await workspace.actor('a');
    const { secret } = await rotate(caller.credentialId, 60);
    const { credential } = await revoke(caller.credentialId, 'seen in a log');
    expect(credential.revoked_at).toBe(now.toISOString());
    minutesLater(1);
    expect((await revoke(caller.credentialId)).credential).toEqual(credential);
    expect([await isAccepted(token), await isAccepted(secret)]).toEqual([false, false]);
    const events = await eventsAbout(caller.credentialId);
    expect(events.map(({ type }) => type).toSorted()).toEqual([
      'credential.issued',
      'credential.revoked',
      'credential.rotated',
    ]);
    const revoked = events.find(({ type }) => type === 'credential.revoked');
    expect(JSON.stringify(revoked?.payload)).toContain('seen in a log');
    expect((await refusalOf(rotate(caller.credentialId))).code).toBe('conflict');
  });

  it('I2: an expired credential is not rotated back to life', async () => {
    const { credential } = await installation.call(access.issueCredential, workspace.owner, {
      actor: 'a',
      preset: 'reporter',
      expires_at: '2026-11-30T12:30:00Z',
    });
    minutesLater(30);
    expect((await refusalOf(rotate(credential.id))).code).toBe('conflict');
  });

  it('T4: a secret shown once comes back as null, and the first stays valid', async () => {
    const { caller } = await workspace.actor('a');
    const input = { credential_id: caller.credentialId, overlap_minutes: 0, idempotency_key: 'k' };
    const first = await installation.call(access.rotateCredential, workspace.owner, input);
    const second = await installation.call(access.rotateCredential, workspace.owner, input);
    expect(second).toEqual({ ...first, secret: null });
    expect(await isAccepted(first.secret)).toBe(true);
    const issue = { actor: 'x', preset: 'reporter', form: 'mcp_config', idempotency_key: 'k' } as const;
    await installation.call(access.issueCredential, workspace.owner, issue);
    const again = await installation.call(access.issueCredential, workspace.owner, issue);
    expect([again.secret, again.mcp_config]).toEqual([null, null]);
  });

  it('I2: credentials are listed newest first, page by page, revoked ones when asked for, and none with a secret', async () => {
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c']) {
      minutesLater(1);
      ids.unshift((await workspace.actor(name)).caller.credentialId);
    }
    await revoke(ids[1] ?? '');
    const list = (input: object) => installation.call(access.listCredentials, workspace.owner, input);
    const owner = workspace.owner.caller.credentialId;
    expect((await list({})).items.map(({ id }) => id)).toEqual([ids[0], ids[2], owner]);
    const first = await list({ include_revoked: true, limit: 2 });
    const second = await list({ include_revoked: true, limit: 2, cursor: first.next_cursor });
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual([...ids, owner]);
    expect(second.next_cursor).toBeNull();
    expect(JSON.stringify(first)).not.toMatch(/_[0-9A-Za-z]{49}/);
  });
});
