import { catalogue } from '@perdure/contracts';
import {
  createTestInstallation,
  refusalOf,
  type TestActor,
  type TestInstallation,
  type TestWorkspace,
} from '@perdure/testkit';

const { projects, sessions } = catalogue;

describe('S17: checkpoints', () => {
  let installation: TestInstallation;
  let workspace: TestWorkspace;
  let agent: TestActor;
  let session: string;

  beforeAll(async () => {
    installation = await createTestInstallation();
    workspace = await installation.workspace();
    agent = await workspace.actor('agent');
    await installation.call(projects.createProject, agent, { name: 'acme', slug: 'acme' });
    const started = await installation.call(sessions.startBuildSession, agent, {
      project: 'acme',
      computer: 'c',
      branch: 'b',
    });
    session = started.build_session.id;
  });
  afterAll(() => installation.close());

  const decision = { title: 'D', rationale_markdown: 'x', decided_on: '2026-11-30', changes_public_contract: false };
  const item = { title: 'I', body_markdown: 'x', priority: 'low' as const, category: 'chore' as const };
  const checkpoint = (more: object, actor = agent) =>
    installation.operations.run(
      sessions.checkpointBuildSession,
      actor.caller,
      { build_session_id: session, ...more },
      { requestId: 'test' },
    );
  const events = async () =>
    (await installation.call(catalogue.audit.listAuditEvents, workspace.owner, {})).items.map((event) => event.type);

  it('S17: records all parts in one call, each audited as itself and linked to the session', async () => {
    const before = (await events()).length;
    const { output } = await checkpoint({
      new_lead_markdown: 'New lead.',
      decisions: [decision, { ...decision, title: 'E' }],
      backlog_items: [item],
      prs: [{ url: 'https://github.com/acme/app/pull/7' }],
    });
    expect(output).toMatchObject({
      lead: { current_state_markdown: 'New lead.' },
      decisions: [
        { title: 'D', build_session_id: session },
        { title: 'E', build_session_id: session },
      ],
      backlog_items: [{ title: 'I', build_session_id: session }],
      prs: [{ number: 7 }],
    });
    expect((await events()).slice(before)).toEqual([
      'decision.appended',
      'decision.appended',
      'backlog_item.filed',
      'build_session.prs_recorded',
    ]);
  });

  it('S17: one bad part refuses all of it', async () => {
    const before = await events();
    const refusal = await refusalOf(
      checkpoint({ new_lead_markdown: 'Lost?', decisions: [decision], prs: [{ url: 'https://example.com' }] }),
    );
    expect(refusal).toMatchObject({ code: 'pr_url_unrecognised', details: { field: 'prs.0.url' } });
    const { build_session } = await installation.call(sessions.getBuildSession, agent, { build_session_id: session });
    expect(build_session.current_state_markdown).not.toContain('Lost?');
    expect(await events()).toEqual(before);
  });

  it('S17: each part needs its own scope', async () => {
    const caller = { ...agent.caller, scopes: new Set(['sessions:write' as const]) };
    const narrow = { ...agent, caller };
    expect(await refusalOf(checkpoint({ backlog_items: [item] }, narrow))).toMatchObject({
      code: 'forbidden_scope',
      details: { scope: 'backlog:write' },
    });
    await expect(checkpoint({ new_lead_markdown: 'Only a lead.' }, narrow)).resolves.toMatchObject({ replayed: false });
  });

  it('S11: an ended session takes no checkpoint with a lead', async () => {
    await installation.call(sessions.endBuildSession, agent, {
      build_session_id: session,
      session_history_entry_markdown: 'x',
    });
    expect((await refusalOf(checkpoint({ new_lead_markdown: 'late' }))).code).toBe('session_ended');
  });
});
