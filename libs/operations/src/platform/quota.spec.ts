import { catalogue, type InputOf } from '@perdure/contracts';
import { createTestInstallation, refusalOf, type TestInstallation, type TestWorkspace } from '@perdure/testkit';

const { platform, projects, sessions } = catalogue;

describe('quotas', () => {
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

  const setQuota = (quota: Partial<InputOf<typeof platform.setWorkspaceQuota>>) =>
    installation.call(platform.setWorkspaceQuota, installation.platform, { workspace: workspace.id, ...quota });
  let made = 0;
  const createProject = (name = 'project') =>
    installation.call(projects.createProject, workspace.owner, { name: `${(made += 1)} ${name}` });
  const start = async (project: string, branch: string) =>
    installation.call(sessions.startBuildSession, workspace.owner, { project, computer: 'c', branch });
  const listed = async () => {
    const { items } = await installation.call(platform.listWorkspaces, installation.platform, { limit: 200 });
    return items.find(({ id }) => id === workspace.id);
  };
  const quotaEvents = async () => {
    const { caller, token } = installation.platform;
    const auditor = { token, caller: { ...caller, scopes: new Set(['audit:read'] as const) } };
    const { items } = await installation.call(catalogue.audit.listAuditEvents, auditor, {
      type: 'workspace.quota_set',
      subject_id: workspace.id,
    });
    return items;
  };

  it('I4: beyond its build sessions a workspace starts none, also of fifty at once; what is there is resumed', async () => {
    const { project } = await createProject();
    await setQuota({ build_sessions: 3 });
    const starts = Array.from({ length: 50 }, (_, index) => start(project.id, `b-${index}`));
    const outcomes = await Promise.allSettled(starts);
    const started = outcomes.filter(({ status }) => status === 'fulfilled');
    expect(started).toHaveLength(3);
    expect((await listed())?.counts.build_sessions).toBe(3);
    const again = outcomes.findIndex(({ status }) => status === 'fulfilled');
    expect((await start(project.id, `b-${again}`)).resumed).toBe(true);
    expect(await refusalOf(start(project.id, 'more'))).toMatchObject({
      code: 'quota_exceeded',
      details: { quota: 'build_sessions', limit: 3 },
    });
    await setQuota({ build_sessions: null });
    expect((await start(project.id, 'more')).resumed).toBe(false);
  });

  it('I4: beyond its stored bytes a workspace writes nothing but who may come in', async () => {
    await createProject();
    const used = (await listed())?.counts.stored_bytes ?? 0;
    await setQuota({ stored_bytes: used + 3_000 });
    let written = 0;
    const outcome = (async () => {
      for (; written < 200; written += 1) await createProject('x'.repeat(100));
    })();
    expect(await refusalOf(outcome)).toMatchObject({ code: 'quota_exceeded', details: { quota: 'stored_bytes' } });
    expect(written).toBeGreaterThan(0);
    const { credential } = await installation.call(catalogue.access.issueCredential, workspace.owner, {
      actor: 'still',
      preset: 'agent',
    });
    await installation.call(catalogue.access.revokeCredential, workspace.owner, {
      credential_id: credential.id,
      reason: 'leaked',
    });
    await setQuota({ stored_bytes: used + 1_000_000 });
    await createProject();
  });

  it('I4: what was written is measured before a quota refuses by an old measure', async () => {
    const { project } = await createProject();
    await setQuota({ stored_bytes: 20_000_000 });
    const { build_session } = await start(project.id, 'b');
    // Replaced again and again: the estimate counts every text, the measure only the last.
    const replace = () =>
      installation.call(sessions.updateBuildSessionState, workspace.owner, {
        build_session_id: build_session.id,
        current_state_markdown: 'x'.repeat(30_000),
      });
    await setQuota({ stored_bytes: 100_000 });
    let replaced = 0;
    const outcome = (async () => {
      for (; replaced < 10; replaced += 1) await replace();
    })();
    expect((await refusalOf(outcome)).code).toBe('quota_exceeded');
    expect(replaced).toBeGreaterThan(1);
    now = new Date(now.getTime() + 61_000);
    await replace();
  });

  it('I4: a quota without a change is no event, and what is left out stays', async () => {
    await setQuota({ build_sessions: 5 });
    const { workspace: set } = await setQuota({ requests_per_minute: 10 });
    expect(set.quota).toEqual({
      requests_per_minute: 10,
      stored_bytes: null,
      build_sessions: 5,
      usage_reports_per_day: null,
    });
    await setQuota({ build_sessions: 5 });
    expect(await quotaEvents()).toHaveLength(2);
  });

  it('I4, G6: what the edge must limit stands on the caller, within a second', async () => {
    const before = await installation.operations.authenticate(workspace.owner.token);
    expect(before).not.toHaveProperty('requestsPerMinute');
    await setQuota({ requests_per_minute: 7 });
    expect(await installation.operations.authenticate(workspace.owner.token)).toMatchObject({ requestsPerMinute: 7 });
  });
});
