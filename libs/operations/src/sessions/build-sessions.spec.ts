import { catalogue } from '@perdure/contracts';
import {
  createTestInstallation,
  refusalOf,
  type TestActor,
  type TestInstallation,
  type TestWorkspace,
} from '@perdure/testkit';

const { sessions } = catalogue;
const FOX = '🦊'; // one code point, two UTF-16 units

describe('build sessions', () => {
  let installation: TestInstallation;
  let workspace: TestWorkspace;
  let agent: TestActor;
  let now = new Date('2026-11-30T12:00:00.000Z');
  let branches = 0;

  beforeAll(async () => {
    installation = await createTestInstallation({ clock: () => now });
    workspace = await installation.workspace();
    agent = await workspace.actor('agent-a');
    await installation.call(catalogue.projects.createProject, agent, { name: 'acme', slug: 'acme' });
  });
  afterAll(() => installation.close());

  const start = (actor = agent, branch = `branch-${(branches += 1)}`) =>
    installation.call(sessions.startBuildSession, actor, { project: 'acme', computer: 'mac-1', branch });
  const get = async (id: string) =>
    (await installation.call(sessions.getBuildSession, agent, { build_session_id: id })).build_session;
  const end = (id: string, more: object = {}) =>
    installation.call(sessions.endBuildSession, agent, {
      build_session_id: id,
      session_history_entry_markdown: 'Done for today.',
      ...more,
    });
  const prepend = (id: string, lead: string, onOverflow?: 'reject' | 'drop_oldest') =>
    installation.call(sessions.prependBuildSessionLead, agent, {
      build_session_id: id,
      new_lead_markdown: lead,
      ...(onOverflow === undefined ? {} : { on_overflow: onOverflow }),
    });
  const events = async (type: string, subjectId: string) => {
    const listed = await installation.call(catalogue.audit.listAuditEvents, workspace.owner, {
      type,
      subject_id: subjectId,
    });
    return listed.items;
  };

  it('S1: the same key comes back as it is, another key is another session', async () => {
    const first = await start(agent, 'main');
    const again = await start(agent, 'main');
    const other = await start(agent, 'other');
    expect([first.resumed, again.resumed, other.resumed]).toEqual([false, true, false]);
    expect(again.build_session).toEqual(first.build_session);
    expect(other.build_session.id).not.toBe(first.build_session.id);
  });

  it('S1: a look-alike of a computer name is another computer', async () => {
    const latin = await installation.call(sessions.startBuildSession, agent, {
      project: 'acme',
      computer: 'macbook',
      branch: 'x',
    });
    const cyrillic = await installation.call(sessions.startBuildSession, agent, {
      project: 'acme',
      computer: 'mаcbook',
      branch: 'x',
    });
    expect(cyrillic.resumed).toBe(false);
    expect(cyrillic.build_session.id).not.toBe(latin.build_session.id);
  });

  it('S2: 50 concurrent starts mint one session and one event', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => start(agent, 'contended')));
    expect(new Set(answers.map((answer) => answer.build_session.id)).size).toBe(1);
    expect(answers.filter((answer) => !answer.resumed)).toHaveLength(1);
    const id = answers[0]?.build_session.id ?? '';
    expect(await events('build_session.started', id)).toHaveLength(1);
  });

  it('S3: a closed session is never resumed, also when it is ended while starts run', async () => {
    const { build_session } = await start(agent, 'closing');
    const [, ...starts] = await Promise.all([
      end(build_session.id),
      ...Array.from({ length: 10 }, () => start(agent, 'closing')),
    ]);
    const next = await start(agent, 'closing');
    expect(next.build_session.id).not.toBe(build_session.id);
    const created = new Set(starts.filter((answer) => !answer.resumed).map((answer) => answer.build_session.id));
    expect(created.size).toBeLessThanOrEqual(1);
  });

  it('S5: other active sessions of the project are shown, the own one is not', async () => {
    const other = await workspace.actor('agent-b');
    const theirs = await start(other, 'their-branch');
    const mine = await start(agent, 'my-branch');
    const shown = mine.other_active_sessions.map((session) => session.id);
    expect(shown).toContain(theirs.build_session.id);
    expect(shown).not.toContain(mine.build_session.id);
  });

  it('S7: a ping never moves backwards, and on an ended session changes nothing and says so', async () => {
    const { build_session } = await start();
    const ping = () => installation.call(sessions.pingBuildSession, agent, { build_session_id: build_session.id });
    now = new Date('2026-11-30T13:00:00.000Z');
    expect(await ping()).toMatchObject({ pinged: true, last_pinged_at: '2026-11-30T13:00:00.000Z' });
    now = new Date('2026-11-30T12:30:00.000Z');
    expect(await ping()).toMatchObject({ pinged: true, last_pinged_at: '2026-11-30T13:00:00.000Z' });
    await end(build_session.id);
    now = new Date('2026-11-30T14:00:00.000Z');
    expect(await ping()).toMatchObject({ pinged: false, last_pinged_at: '2026-11-30T13:00:00.000Z' });
    expect((await events('build_session.pinged', build_session.id)).length).toBe(0);
  });

  it('S8: 20 concurrent prepends keep 20 leads, 19 of them demoted once', async () => {
    const { build_session } = await start();
    const leads = Array.from({ length: 20 }, (_, index) => `Lead ${index}`);
    await Promise.all(leads.map((lead) => prepend(build_session.id, lead)));
    const { current_state_markdown: state, state_version: version } = await get(build_session.id);
    const blocks = state.split('\n\n');
    expect(blocks.map((block) => block.replace('**Earlier:** ', '')).toSorted()).toEqual(leads.toSorted());
    expect(blocks.filter((block) => block.startsWith('**Earlier:** '))).toHaveLength(19);
    expect(blocks.some((block) => block.includes('**Earlier:** **Earlier:** '))).toBe(false);
    expect(version).toBe(21);
  });

  it('S8: prepending exactly the current lead again is a safe retry', async () => {
    const { build_session } = await start();
    await prepend(build_session.id, 'one');
    const first = await prepend(build_session.id, 'two');
    const again = await prepend(build_session.id, 'two');
    expect(again).toEqual(first);
    expect(again.current_state_markdown).toBe('two\n\n**Earlier:** one');
  });

  it('S10: 32,000 code points beyond the basic plane fit, one more is refused with size and cap', async () => {
    const { build_session } = await start();
    const refusal = await refusalOf(prepend(build_session.id, FOX.repeat(32_001)));
    expect(refusal).toMatchObject({
      code: 'state_too_large',
      kind: 'unprocessable',
      details: { size: 32_001, cap: 32_000 },
    });
    expect((await get(build_session.id)).current_state_markdown).toBe('');
    const stored = await prepend(build_session.id, FOX.repeat(32_000));
    expect(stored.current_state_markdown).toBe(FOX.repeat(32_000));
    const over = await refusalOf(prepend(build_session.id, 'x'));
    // The lead, the separator of two, the prefix of thirteen and what stood there.
    expect(over.details).toEqual({ size: 32_000 + 1 + 2 + '**Earlier:** '.length, cap: 32_000 });
  });

  it('S10: drop_oldest drops whole leads from the bottom and says how many', async () => {
    const { build_session } = await start();
    for (const letter of ['a', 'b', 'c']) await prepend(build_session.id, letter.repeat(10_000));
    const answer = await prepend(build_session.id, 'd'.repeat(10_000), 'drop_oldest');
    expect(answer.dropped_leads).toBe(1);
    expect(answer.current_state_markdown).toBe(
      ['d', '**Earlier:** c', '**Earlier:** b'].map((start) => start + (start.at(-1) ?? '').repeat(9_999)).join('\n\n'),
    );
    const alone = await refusalOf(prepend(build_session.id, 'e'.repeat(32_001), 'drop_oldest'));
    expect(alone.code).toBe('state_too_large');
  });

  it('S11: an ended session takes no lead', async () => {
    const { build_session } = await start();
    await end(build_session.id);
    expect((await refusalOf(prepend(build_session.id, 'late'))).code).toBe('session_ended');
  });

  it('S13: 20 concurrent ends write one end, one event and no second stamp', async () => {
    const { build_session } = await start();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        end(build_session.id, {
          session_history_entry_markdown: `End ${index}`,
          related_prs: [{ url: `https://github.com/acme/app/pull/${index + 1}` }],
          related_commit_shas: ['ABCDEF1'],
        }),
      ),
    );
    expect(answers.filter((answer) => answer.ended)).toHaveLength(1);
    const winner = answers.find((answer) => answer.ended)?.build_session;
    expect(await get(build_session.id)).toEqual(winner);
    expect(winner).toMatchObject({ status: 'ended', commit_shas: ['abcdef1'] });
    expect(winner?.prs).toHaveLength(1);
    expect(await events('build_session.ended', build_session.id)).toHaveLength(1);
  });

  it('S13: a bad pull request url refuses the end whole', async () => {
    const { build_session } = await start();
    const refusal = await refusalOf(end(build_session.id, { related_prs: [{ url: 'https://example.com/nothing' }] }));
    expect(refusal).toMatchObject({ code: 'pr_url_unrecognised', details: { field: 'related_prs.0.url' } });
    expect((await get(build_session.id)).status).toBe('active');
  });

  it('S14: lists filter, page through everything once, and return whole sessions within their budget', async () => {
    const lister = await workspace.actor('lister');
    const made: string[] = [];
    for (let index = 0; index < 7; index += 1) made.push((await start(lister, `list-${index}`)).build_session.id);
    await Promise.all(
      made.map((id) =>
        installation.call(sessions.prependBuildSessionLead, lister, {
          build_session_id: id,
          new_lead_markdown: 'x'.repeat(15_000),
        }),
      ),
    );
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: { items: { id: string }[]; next_cursor: string | null } = await installation.call(
        sessions.listBuildSessions,
        lister,
        { actor: 'lister', ...(cursor === null ? {} : { cursor }) },
      );
      expect(page.items.length).toBe(cursor === null || seen.length < 6 ? 2 : 1);
      seen.push(...page.items.map((item) => item.id));
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(seen).toEqual(made.toReversed());
    const one = await installation.call(sessions.listBuildSessions, lister, {
      branch: 'list-3',
      computer: 'mac-1',
      status: 'active',
    });
    expect(one.items.map((item) => item.id)).toEqual([made[3]]);
  });

  it('S14: a cursor of other filters is refused', async () => {
    const pager = await workspace.actor('pager');
    await start(pager);
    await start(pager);
    const page = await installation.call(sessions.listBuildSessions, pager, { actor: 'pager', limit: 1 });
    const refusal = await refusalOf(
      installation.call(sessions.listBuildSessions, pager, {
        status: 'active',
        limit: 1,
        cursor: page.next_cursor ?? '',
      }),
    );
    expect(refusal.code).toBe('invalid_cursor');
  });

  it('S14: staleness is a filter', async () => {
    const sleeper = await workspace.actor('sleeper');
    now = new Date('2026-12-01T12:00:00.000Z');
    const { build_session } = await start(sleeper);
    now = new Date('2026-12-01T13:00:00.000Z');
    const list = (minutes: number) =>
      installation.call(sessions.listBuildSessions, sleeper, { actor: 'sleeper', stale_for_minutes: minutes });
    expect((await list(60)).items.map((item) => item.id)).toEqual([build_session.id]);
    expect((await list(61)).items).toEqual([]);
  });

  it('S14: the aggregate holds the session with its project and what it produced', async () => {
    const { build_session } = await start();
    await installation.call(catalogue.decisions.appendDecisionLog, agent, {
      title: 'Use ULIDs',
      rationale_markdown: 'They sort.',
      decided_on: '2026-11-30',
      changes_public_contract: true,
      build_session_id: build_session.id,
    });
    const aggregate = await installation.call(sessions.getBuildSessionAggregate, agent, {
      build_session_id: build_session.id,
    });
    expect(aggregate).toMatchObject({
      build_session: { id: build_session.id },
      project: { slug: 'acme' },
      predecessor: null,
      successors: [],
      decisions: { items: [{ title: 'Use ULIDs' }], total: 1, more: null },
      usage: { turns: 0 },
    });
  });
});
