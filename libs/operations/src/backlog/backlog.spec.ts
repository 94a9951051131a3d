import { BACKLOG_STATUSES, type BacklogStatus, catalogue, type RawInputOf } from '@perdure/contracts';
import {
  createTestInstallation,
  refusalOf,
  type TestActor,
  type TestInstallation,
  type TestWorkspace,
} from '@perdure/testkit';
import { Client } from 'pg';

const { backlog } = catalogue;
type FileInput = RawInputOf<typeof backlog.fileBacklogItem>;
type TriageInput = RawInputOf<typeof backlog.triageBacklogItem>;

/** What each status needs beside itself. */
const EVIDENCE: Partial<Record<BacklogStatus, Partial<TriageInput>>> = {
  resolved: { closing_commit_sha: 'ABCDEF1' },
  dismissed: { dismissal_reason: 'Not worth it.' },
};

const LEGAL: Record<BacklogStatus, readonly BacklogStatus[]> = {
  open: ['triaged', 'resolved', 'dismissed'],
  triaged: ['in_progress', 'resolved', 'dismissed'],
  in_progress: ['resolved', 'dismissed'],
  resolved: [],
  dismissed: [],
};

describe('the backlog', () => {
  let installation: TestInstallation;
  let workspace: TestWorkspace;
  let agent: TestActor;
  let projects = 0;

  beforeAll(async () => {
    installation = await createTestInstallation({ poolSize: 20 });
    workspace = await installation.workspace();
    agent = await workspace.actor('agent');
  });
  afterAll(() => installation.close());

  const newProject = async () => {
    const slug = `project-${(projects += 1)}`;
    await installation.call(catalogue.projects.createProject, agent, { name: slug, slug });
    return slug;
  };
  const file = async (project: string, more: Partial<FileInput> = {}) =>
    (
      await installation.call(backlog.fileBacklogItem, agent, {
        title: 'Item',
        body_markdown: 'body-text',
        priority: 'normal',
        category: 'bug',
        project,
        ...more,
      })
    ).backlog_item;
  const triage = (id: string, status: BacklogStatus, more: Partial<TriageInput> = EVIDENCE[status] ?? {}) =>
    installation.call(backlog.triageBacklogItem, agent, { backlog_item_id: id, status, ...more });
  const claim = async (project: string, actor = agent) =>
    (await installation.call(backlog.claimBacklogItem, actor, { project })).backlog_item;
  const get = (id: string) => installation.call(backlog.getBacklogItem, agent, { backlog_item_id: id });
  const events = async (id: string) =>
    (await installation.call(catalogue.audit.listAuditEvents, workspace.owner, { subject_id: id })).items.map(
      (event) => event.type,
    );

  it('B1: an item is filed open, in the open session of its actor, audited once', async () => {
    const project = await newProject();
    const actor = await workspace.actor('b1');
    const { build_session } = await installation.call(catalogue.sessions.startBuildSession, actor, {
      project,
      computer: 'c',
      branch: 'b',
    });
    const answer = await installation.call(backlog.fileBacklogItem, actor, {
      title: 'Flaky test',
      body_markdown: 'Fails on Mondays.',
      priority: 'high',
      category: 'test',
    });
    expect(answer).toMatchObject({
      linked_by: 'open_session',
      backlog_item: {
        status: 'open',
        build_session_id: build_session.id,
        actor: { id: actor.caller.actor.id, name: 'b1' },
        blocked_by: [],
        assignee: null,
      },
    });
    expect(await events(answer.backlog_item.id)).toEqual(['backlog_item.filed']);
    const aggregate = await installation.call(catalogue.sessions.getBuildSessionAggregate, actor, {
      build_session_id: build_session.id,
    });
    expect(aggregate.backlog_items).toMatchObject({ total: 1, items: [{ title: 'Flaky test' }] });
  });

  it.each(BACKLOG_STATUSES.flatMap((from) => BACKLOG_STATUSES.map((to) => [from, to] as const)))(
    'B2: from %s to %s',
    async (from, to) => {
      const item = await file(await newProject());
      if (from !== 'open') await reach(item.id, from);
      const before = await events(item.id);
      if (from === to) {
        expect((await triage(item.id, to)).backlog_item.status).toBe(from);
        expect(await events(item.id)).toEqual(before);
        return;
      }
      if (LEGAL[from].includes(to)) {
        expect((await triage(item.id, to)).backlog_item.status).toBe(to);
        expect(await events(item.id)).toHaveLength(before.length + 1);
        return;
      }
      const refusal = await refusalOf(triage(item.id, to));
      expect(refusal.code).toBe(from === 'resolved' || from === 'dismissed' ? 'item_final' : 'illegal_transition');
      expect((await get(item.id)).backlog_item.status).toBe(from);
      expect(await events(item.id)).toEqual(before);
    },
  );

  async function reach(id: string, status: BacklogStatus): Promise<void> {
    if (status === 'in_progress') await triage(id, 'triaged');
    await triage(id, status);
  }

  it('B2: resolving needs evidence and dismissing a reason, and neither goes with another status', async () => {
    const item = await file(await newProject());
    expect((await refusalOf(triage(item.id, 'resolved', {}))).code).toBe('closing_evidence_required');
    expect((await refusalOf(triage(item.id, 'dismissed', {}))).code).toBe('dismissal_reason_required');
    expect((await refusalOf(triage(item.id, 'triaged', { closing_notes: 'x' }))).code).toBe('invalid_input');
    expect((await refusalOf(triage(item.id, 'resolved', { closing_pr_url: 'https://example.com/x' }))).code).toBe(
      'pr_url_unrecognised',
    );
    const { backlog_item: closed } = await triage(item.id, 'resolved', {
      closing_pr_url: 'https://github.com/acme/app/pull/7/files',
    });
    expect(closed).toMatchObject({ closing_pr_url: 'https://github.com/acme/app/pull/7', status: 'resolved' });
    expect(closed.closed_at).not.toBeNull();
  });

  it('B3: of 32 assigns to different people one wins and the others are told who holds it', async () => {
    const item = await file(await newProject());
    const outcomes = await Promise.allSettled(
      Array.from({ length: 32 }, (_, index) =>
        installation.call(backlog.assignBacklogItem, agent, { backlog_item_id: item.id, assignee: `p${index}` }),
      ),
    );
    const winners = outcomes.flatMap((outcome) =>
      outcome.status === 'fulfilled' ? [outcome.value.backlog_item.assignee] : [],
    );
    expect(winners).toHaveLength(1);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') {
        expect(outcome.reason).toMatchObject({ code: 'already_assigned', details: { assignee: winners[0] } });
      }
    }
    const taken = await installation.call(backlog.assignBacklogItem, agent, {
      backlog_item_id: item.id,
      assignee: 'boss',
      reassign: true,
    });
    expect(taken.backlog_item.assignee).toBe('boss');
    expect(await events(item.id)).toEqual(['backlog_item.filed', 'backlog_item.assigned', 'backlog_item.assigned']);
  });

  it('B3: priority and category change, a repetition changes nothing', async () => {
    const item = await file(await newProject());
    const change = (more: object) =>
      installation.call(backlog.reprioritiseBacklogItem, agent, { backlog_item_id: item.id, ...more });
    await change({ priority: 'urgent', category: 'security' });
    expect((await change({ priority: 'urgent' })).backlog_item).toMatchObject({
      priority: 'urgent',
      category: 'security',
    });
    expect((await refusalOf(change({}))).code).toBe('invalid_input');
    expect(await events(item.id)).toEqual(['backlog_item.filed', 'backlog_item.reprioritised']);
  });

  it('B3: lists hold neither body nor comment, the item holds both', async () => {
    const project = await newProject();
    const item = await file(project);
    for (let index = 0; index < 5; index += 1) {
      await installation.call(backlog.commentBacklogItem, agent, {
        backlog_item_id: item.id,
        body_markdown: `comment ${index}`,
      });
    }
    const listed = JSON.stringify(await installation.call(backlog.listBacklogItems, agent, { project }));
    expect(listed).not.toContain('body-text');
    expect(listed).not.toContain('comment 1');
    const whole = await get(item.id);
    expect(whole.backlog_item.body_markdown).toBe('body-text');
    expect(whole.comments.map((comment) => comment.body_markdown)).toEqual(
      Array.from({ length: 5 }, (_, n) => `comment ${n}`),
    );
  });

  it('B3: filters, text search without wildcards, and counts', async () => {
    const project = await newProject();
    await file(project, { title: 'at 100%_done', priority: 'high' });
    await file(project, { title: 'at 100 done', category: 'docs' });
    const titles = async (filter: object) =>
      (await installation.call(backlog.listBacklogItems, agent, { project, ...filter })).items.map(
        (item) => item.title,
      );
    expect(await titles({ search: '100%_DONE' })).toEqual(['at 100%_done']);
    expect(await titles({ category: 'docs' })).toEqual(['at 100 done']);
    expect(await titles({ priority: 'high', status: 'open' })).toEqual(['at 100%_done']);
    expect(await installation.call(backlog.countBacklogItems, agent, { project })).toEqual({
      by_status: { open: 2, triaged: 0, in_progress: 0, resolved: 0, dismissed: 0 },
      by_priority: { urgent: 0, high: 1, normal: 1, low: 0 },
    });
  });

  it('B3, cases/mcp result-cap: a long list is cut at 20 kB and pages through everything once', async () => {
    const project = await newProject();
    for (let index = 0; index < 60; index += 1) await file(project, { title: 'x'.repeat(200) });
    const seen = new Set<string>();
    let cursor: string | undefined;
    do {
      const page: { items: { id: string }[]; next_cursor: string | null } = await installation.call(
        backlog.listBacklogItems,
        agent,
        { project, limit: 200, ...(cursor === undefined ? {} : { cursor }) },
      );
      expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(20_000);
      page.items.forEach((item) => seen.add(item.id));
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    expect(seen.size).toBe(60);
  });

  it('B4: 16 workers over 10 ready items: 10 distinct owners, nobody twice, six get nothing', async () => {
    const project = await newProject();
    for (let index = 0; index < 10; index += 1) await file(project);
    const workers = await Promise.all(Array.from({ length: 16 }, (_, index) => workspace.actor(`worker-${index}`)));
    const claimed = await Promise.all(workers.map((worker) => claim(project, worker)));
    const taken = claimed.flatMap((item) => (item === null ? [] : [item]));
    expect(taken).toHaveLength(10);
    expect(new Set(taken.map((item) => item.id)).size).toBe(10);
    expect(new Set(taken.map((item) => item.assignee)).size).toBe(10);
    expect(taken.every((item) => item.status === 'in_progress')).toBe(true);
  });

  it('B4: an item that somebody is only looking at is waited for, not taken for gone', async () => {
    const project = await newProject();
    const item = await file(project);
    const other = new Client({ connectionString: installation.database.superuserUrl });
    await other.connect();
    await other.query('BEGIN');
    await other.query('SELECT 1 FROM backlog_item WHERE id = $1 FOR NO KEY UPDATE', [item.id]);
    const claiming = claim(project);
    await other.query(
      `DO $$ BEGIN
         WHILE NOT EXISTS (SELECT FROM pg_locks WHERE NOT granted AND locktype IN ('transactionid', 'tuple')) LOOP
           PERFORM pg_sleep(0.01);
         END LOOP;
       END $$`,
    );
    await other.query('ROLLBACK');
    await other.end();
    expect((await claiming)?.id).toBe(item.id);
  });

  it.each(['resolved', 'dismissed'] as const)('B2: nothing changes an item that is %s', async (status) => {
    const project = await newProject();
    const [item, other] = [await file(project), await file(project)];
    await claim(project);
    await triage(item.id, status);
    const before = [await get(item.id), await events(item.id)];
    const id = { backlog_item_id: item.id };
    const attempts = [
      ...BACKLOG_STATUSES.filter((to) => to !== status).map((to) => triage(item.id, to)),
      installation.call(backlog.claimBacklogItem, agent, id),
      installation.call(backlog.releaseBacklogItem, agent, { ...id, reason: 'x' }),
      installation.call(backlog.assignBacklogItem, agent, { ...id, assignee: 'x', reassign: true }),
      installation.call(backlog.reprioritiseBacklogItem, agent, { ...id, priority: 'urgent' }),
      installation.call(backlog.blockBacklogItem, agent, { ...id, blocked_by: [other.id] }),
    ];
    for (const attempt of await Promise.all(attempts.map(refusalOf))) expect(attempt.code).toBe('item_final');
    expect([await get(item.id), await events(item.id)]).toEqual(before);
  });

  it('B4: claims go by priority, then age; release gives back to triaged', async () => {
    const project = await newProject();
    const low = await file(project, { priority: 'low' });
    const first = await file(project, { priority: 'urgent' });
    await file(project, { priority: 'urgent' });
    expect((await claim(project))?.id).toBe(first.id);
    const release = (id: string) =>
      installation.call(backlog.releaseBacklogItem, agent, { backlog_item_id: id, reason: 'Other work.' });
    expect((await release(first.id)).backlog_item).toMatchObject({ status: 'triaged', assignee: null });
    expect((await refusalOf(release(low.id))).code).toBe('illegal_transition');
    expect((await claim(project))?.id).toBe(first.id);
  });

  it('B4: an item that waits is neither ready nor claimed, until what it waits for is closed', async () => {
    const project = await newProject();
    const blocker = await file(project, { priority: 'low' });
    const waiting = await file(project, { priority: 'urgent', blocked_by: [blocker.id] });
    const ready = async () =>
      (await installation.call(backlog.listReadyBacklogItems, agent, { project })).items.map((item) => item.id);
    expect(await ready()).toEqual([blocker.id]);
    const named = installation.call(backlog.claimBacklogItem, agent, { backlog_item_id: waiting.id });
    expect(await refusalOf(named)).toMatchObject({ code: 'illegal_transition', details: { blocked_by: [blocker.id] } });
    await triage(blocker.id, 'dismissed');
    expect(await ready()).toEqual([waiting.id]);
    expect((await get(waiting.id)).blockers).toMatchObject([{ id: blocker.id, status: 'dismissed' }]);
  });

  it.each([1, 2, 3])('B4: two dependencies at once never close a cycle (round %s)', async () => {
    const project = await newProject();
    const [a, b, c, d] = [await file(project), await file(project), await file(project), await file(project)];
    const block = (id: string, by: string) =>
      installation.call(backlog.blockBacklogItem, agent, { backlog_item_id: id, blocked_by: [by] });
    await block(b.id, a.id);
    await block(d.id, c.id);
    const outcomes = await Promise.allSettled([block(a.id, d.id), block(c.id, b.id)]);
    expect(outcomes.map((outcome) => outcome.status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect((await refusalOf(block(a.id, a.id))).code).toBe('self_link');
  });

  it('B2: what happened to an item can be read, with who did it', async () => {
    const project = await newProject();
    const item = await file(project);
    await claim(project);
    await triage(item.id, 'resolved', { closing_notes: 'Done in passing.' });
    const { transitions } = await get(item.id);
    expect(transitions.map((transition) => [transition.type, transition.actor.name])).toEqual([
      ['backlog_item.filed', 'agent'],
      ['backlog_item.claimed', 'agent'],
      ['backlog_item.resolved', 'agent'],
    ]);
    expect(transitions[2]?.details).toMatchObject({ from: 'in_progress', to: 'resolved' });
  });

  it('D5: a decision is linked to the backlog item it came from', async () => {
    const project = await newProject();
    const item = await file(project);
    const { decision } = await installation.call(catalogue.decisions.appendDecisionLog, agent, {
      title: 'x',
      rationale_markdown: 'x',
      decided_on: '2026-11-30',
      changes_public_contract: false,
      project,
    });
    const linked = await installation.call(catalogue.decisions.linkDecisionSourceBacklogItem, agent, {
      decision_id: decision.id,
      backlog_item_id: item.id,
    });
    expect(linked.decision.backlog_item_id).toBe(item.id);
  });
});
