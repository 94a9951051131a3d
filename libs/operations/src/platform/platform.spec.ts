import { allOperations, catalogue, operationExamples, type OutputOf, type WorkspaceObject } from '@perdure/contracts';
import {
  createTestInstallation,
  refusalOf,
  type TestActor,
  type TestInstallation,
  type TestWorkspace,
} from '@perdure/testkit';

const { platform, projects, sessions } = catalogue;
const CANARY = 'canary7f3a';

type Page = OutputOf<typeof platform.listWorkspaces>;

describe('platform operations', () => {
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

  const operator = () => installation.platform;
  const suspend = (reference = workspace.id) =>
    installation.call(platform.suspendWorkspace, operator(), { workspace: reference, reason: 'unpaid' });
  const resume = () =>
    installation.call(platform.resumeWorkspace, operator(), { workspace: workspace.id, reason: 'paid' });
  const setQuota = (quota: WorkspaceObject['quota']) =>
    installation.call(platform.setWorkspaceQuota, operator(), { workspace: workspace.id, ...quota });
  let made = 0;
  const createProject = (actor: TestActor = workspace.owner) =>
    installation.call(projects.createProject, actor, { name: `project ${(made += 1)}` });
  const start = async (project: string, branch: string) =>
    installation.call(sessions.startBuildSession, workspace.owner, { project, computer: 'c', branch });
  const listed = async () => {
    const { items } = await installation.call(platform.listWorkspaces, operator(), { limit: 200 });
    return items.find(({ id }) => id === workspace.id);
  };
  const eventsOf = async (type: string) => {
    const auditor = { ...operator(), caller: { ...operator().caller, scopes: new Set(['audit:read'] as const) } };
    const { items } = await installation.call(catalogue.audit.listAuditEvents, auditor, {
      type,
      subject_id: workspace.id,
    });
    return items;
  };

  it('I4: a suspended workspace is read and not written, from the answer on, until it is resumed', async () => {
    const { project } = await createProject();
    expect((await suspend()).workspace.status).toBe('suspended');
    expect(await refusalOf(createProject())).toMatchObject({ code: 'workspace_suspended', kind: 'forbidden' });
    const read = await installation.call(projects.getProject, workspace.owner, { project: project.id });
    expect(read.project.id).toBe(project.id);
    const me = await installation.call(catalogue.access.whoAmI, workspace.owner, {});
    expect(me.workspace.status).toBe('suspended');
    await suspend();
    expect(await eventsOf('workspace.suspended')).toHaveLength(1);
    expect((await resume()).workspace.status).toBe('active');
    await resume();
    expect(await eventsOf('workspace.resumed')).toHaveLength(1);
    await createProject();
  });

  it('I4: every mutation of the catalogue is refused in a suspended workspace, whatever its arguments', async () => {
    await suspend();
    const tenant = { ...workspace.owner.caller };
    for (const { operation, input } of operationExamples) {
      const contract = allOperations.find(({ name }) => name === operation);
      if (contract === undefined || contract.kind === 'query' || contract.area === 'platform') continue;
      const refusal = await refusalOf(
        installation.operations.run(contract, tenant, input, { requestId: 'test', idempotencyKey: 'k' }),
      );
      expect([operation, refusal.code]).toEqual([operation, 'workspace_suspended']);
    }
  });

  it('I4: other workspaces, and the operator, are not touched by a suspension', async () => {
    const other = await installation.workspace('other');
    await suspend();
    await createProject(other.owner);
    await installation.workspace('third');
  });

  it('I4: a deletion can be taken back while its grace lasts, and set anew', async () => {
    const schedule = (grace_days?: number) =>
      installation.call(platform.deleteWorkspace, operator(), {
        workspace: workspace.id,
        reason: 'contract ended',
        ...(grace_days === undefined ? {} : { grace_days }),
      });
    const first = await schedule();
    expect(first.workspace).toMatchObject({
      status: 'deletion_scheduled',
      delete_after: '2026-12-30T12:00:00.000Z',
    });
    expect(await schedule()).toEqual(first);
    expect((await schedule(1)).workspace.delete_after).toBe('2026-12-01T12:00:00.000Z');
    expect(await eventsOf('workspace.deletion_scheduled')).toHaveLength(2);
    expect((await refusalOf(createProject())).code).toBe('workspace_suspended');
    expect((await refusalOf(suspend())).code).toBe('illegal_transition');
    expect((await resume()).workspace).toMatchObject({ status: 'active', delete_after: null });
    await createProject();
  });

  it('I4: the operator sees how much there is and what may be there, found by name, slug and state', async () => {
    const { project } = await createProject();
    await start(project.id, 'b');
    const quota = { requests_per_minute: 60, stored_bytes: 1_000_000_000, build_sessions: 5, usage_reports_per_day: 0 };
    await setQuota(quota);
    expect(await listed()).toMatchObject({
      status: 'active',
      quota,
      counts: {
        projects: 1,
        build_sessions: 1,
        active_build_sessions: 1,
        decisions: 0,
        backlog_items: 0,
        rules: 0,
        members: 1,
        credentials: 1,
      },
    });
    expect((await listed())?.counts.stored_bytes).toBeGreaterThan(500);
    const search = async (input: object) =>
      (await installation.call(platform.listWorkspaces, operator(), input)).items.map(({ id }) => id);
    const slug = (await listed())?.slug ?? '';
    expect(await search({ search: slug.toUpperCase() })).toContain(workspace.id);
    expect(await search({ search: '%' })).toEqual([]);
    expect(await search({ status: 'suspended', search: slug })).not.toContain(workspace.id);
    await suspend(slug);
    expect(await search({ status: 'suspended', search: slug })).toContain(workspace.id);
    expect(await search({ search: 'installation' })).toEqual([]);
  });

  it('I4: the list comes page by page, by name', async () => {
    const ids: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Page = await installation.call(platform.listWorkspaces, operator(), {
        limit: 2,
        ...(cursor === null ? {} : { cursor }),
      });
      ids.push(...page.items.map(({ id }) => id));
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(new Set(ids).size).toBe(ids.length);
    const all = await installation.call(platform.listWorkspaces, operator(), { limit: 200 });
    expect(ids).toEqual(all.items.map(({ id }) => id));
  });

  it('I4: the installation itself, an unknown and a deleted workspace are no workspaces', async () => {
    for (const reference of ['installation', 'nowhere', '01K5ZQ8W3M9X7B2C4D6E8F0G1H', operator().caller.workspaceId]) {
      expect((await refusalOf(suspend(reference))).code).toBe('not_found');
    }
  });
});

describe('what the operator of an installation sees', () => {
  let installation: TestInstallation;
  let workspace: TestWorkspace;

  beforeAll(async () => {
    installation = await createTestInstallation();
    workspace = await installation.workspace();
    await installation.call(projects.createProject, workspace.owner, { name: CANARY, slug: CANARY });
    await installation.call(catalogue.access.inviteMember, workspace.owner, {
      email: `${CANARY}@example.com`,
      role: 'viewer',
    });
    await installation.call(catalogue.rules.createRule, workspace.owner, {
      title: CANARY,
      body_markdown: CANARY,
      triggers: {},
    });
  });
  afterAll(() => installation.close());

  it('I4: no operation of the catalogue gives a platform credential anything of a tenant', async () => {
    for (const { operation, input } of operationExamples) {
      const contract = allOperations.find(({ name }) => name === operation);
      if (contract === undefined) throw new Error(`${operation} is not in the catalogue`);
      const named = 'workspace' in input ? { ...input, workspace: workspace.id } : input;
      const outcome = await installation.operations
        .run(contract, installation.platform.caller, named, { requestId: 'test' })
        .then(
          ({ output }) => JSON.stringify(output),
          (error: { code: string }) => error.code,
        );
      expect([operation, outcome.includes(CANARY)]).toEqual([operation, false]);
      if (contract.area !== 'platform' && contract.scope !== 'any') {
        expect([operation, outcome]).toEqual([operation, 'forbidden_scope']);
      }
    }
  });
});
