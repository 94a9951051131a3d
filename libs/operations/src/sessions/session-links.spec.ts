import { readFileSync } from 'node:fs';
import path from 'node:path';
import { catalogue } from '@perdure/contracts';
import {
  createTestInstallation,
  refusalOf,
  type TestActor,
  type TestInstallation,
  type TestWorkspace,
} from '@perdure/testkit';

const { sessions, projects } = catalogue;

interface PrUrlCase {
  readonly id: string;
  readonly use: 'pr' | 'issue';
  readonly url: string;
  readonly expect: Record<string, unknown> & { readonly refused?: string; readonly error?: string };
}

const PR_URL_CASES: PrUrlCase[] = JSON.parse(
  readFileSync(path.join(__dirname, '../../../../cases/pr-urls.json'), 'utf8'),
);

describe('what build sessions are linked to', () => {
  let installation: TestInstallation;
  let workspace: TestWorkspace;
  let agent: TestActor;
  let branches = 0;

  beforeAll(async () => {
    installation = await createTestInstallation();
    workspace = await installation.workspace();
    agent = await workspace.actor('agent-a');
    for (const slug of ['acme', 'other']) await installation.call(projects.createProject, agent, { name: slug, slug });
  });
  afterAll(() => installation.close());

  const start = async (project = 'acme', branch = `branch-${(branches += 1)}`) =>
    (await installation.call(sessions.startBuildSession, agent, { project, computer: 'mac-1', branch })).build_session
      .id;
  const get = async (id: string) =>
    (await installation.call(sessions.getBuildSession, agent, { build_session_id: id })).build_session;
  const end = (id: string) =>
    installation.call(sessions.endBuildSession, agent, {
      build_session_id: id,
      session_history_entry_markdown: 'Done.',
    });
  const link = (id: string, predecessor: string) =>
    installation.call(sessions.linkBuildSessionContinuation, agent, {
      build_session_id: id,
      predecessor_build_session_id: predecessor,
    });
  const record = (id: string, ...prs: { url: string; linked_issue_url?: string; title?: string }[]) =>
    installation.call(sessions.recordBuildSessionPrs, agent, { build_session_id: id, prs });
  const events = async (type: string, subjectId: string) =>
    (await installation.call(catalogue.audit.listAuditEvents, workspace.owner, { type, subject_id: subjectId })).items;

  describe('S6: continuation', () => {
    it('S6: is recorded once, across projects too, and an existing link is left as it is', async () => {
      const [earlier, later] = [await start('other'), await start()];
      expect(await link(later, earlier)).toMatchObject({ linked: true, build_session: { continues: earlier } });
      expect(await link(later, earlier)).toMatchObject({ linked: false, build_session: { continues: earlier } });
      expect(await events('build_session.continuation_linked', later)).toHaveLength(1);
      const aggregate = await installation.call(sessions.getBuildSessionAggregate, agent, {
        build_session_id: earlier,
      });
      expect(aggregate.successors.map((session) => session.id)).toEqual([later]);
    });

    it('S6: a self-link and a second, different predecessor are refused', async () => {
      const [a, b, c] = [await start(), await start(), await start()];
      expect((await refusalOf(link(a, a))).code).toBe('self_link');
      await link(a, b);
      expect(await refusalOf(link(a, c))).toMatchObject({
        code: 'predecessor_conflict',
        details: { predecessor_build_session_id: b },
      });
    });

    it('S6: a cycle over four sessions is refused', async () => {
      const [a, b, c, d] = [await start(), await start(), await start(), await start()];
      await link(b, a);
      await link(c, b);
      await link(d, c);
      expect((await refusalOf(link(a, d))).code).toBe('cycle');
      expect((await get(a)).continues).toBeNull();
    });

    it.each([1, 2, 3])('S6: two links at once never close a cycle over two sessions (round %s)', async () => {
      const [a, b] = [await start(), await start()];
      const outcomes = await Promise.allSettled([link(a, b), link(b, a)]);
      expect(outcomes.map((outcome) => outcome.status).toSorted()).toEqual(['fulfilled', 'rejected']);
    });

    it.each([1, 2, 3])('S6: two links at once never close a cycle over four sessions (round %s)', async () => {
      const [a, b, c, d] = [await start(), await start(), await start(), await start()];
      await link(b, a);
      await link(d, c);
      // a → d → c and c → b → a touch no common row.
      const outcomes = await Promise.allSettled([link(a, d), link(c, b)]);
      expect(outcomes.map((outcome) => outcome.status).toSorted()).toEqual(['fulfilled', 'rejected']);
    });

    it('S11: an ended session takes no predecessor, but may be one', async () => {
      const [ended, active] = [await start(), await start()];
      await end(ended);
      expect((await refusalOf(link(ended, active))).code).toBe('session_ended');
      expect((await link(active, ended)).linked).toBe(true);
    });
  });

  describe('S9: the current state', () => {
    const update = (id: string, state: string, version?: number) =>
      installation.call(sessions.updateBuildSessionState, agent, {
        build_session_id: id,
        current_state_markdown: state,
        ...(version === undefined ? {} : { if_version: version }),
      });

    it('S9: a stale writer gets the current version and nothing is written', async () => {
      const id = await start();
      const first = await update(id, 'one');
      await update(id, 'two', first.state_version);
      expect(await refusalOf(update(id, 'three', first.state_version))).toMatchObject({
        code: 'version_conflict',
        details: { current_version: first.state_version + 1 },
      });
      expect((await get(id)).current_state_markdown).toBe('two');
    });

    it('S9: of ten writers with the same version one writes', async () => {
      const id = await start();
      const outcomes = await Promise.allSettled(Array.from({ length: 10 }, (_, index) => update(id, `w${index}`, 1)));
      expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1);
    });

    it.each([
      ['32,000 letters', 'a'.repeat(32_000)],
      ['32,000 foxes', '🦊'.repeat(32_000)],
      ['combining marks', 'e\u0301'.repeat(16_000)],
    ])('S10: %s are kept as they are', async (_label, text) => {
      const id = await start();
      await update(id, text);
      expect((await get(id)).current_state_markdown).toBe(text);
    });

    it.each([
      [32_001, 'a'],
      [33_000, 'a'],
      [32_001, '🦊'],
    ])('S10: %s × %s are refused with size and cap', async (size, character) => {
      const id = await start();
      const refusal = await refusalOf(update(id, character.repeat(size)));
      expect(refusal).toMatchObject({ code: 'state_too_large', kind: 'unprocessable', details: { size, cap: 32_000 } });
    });

    it('S8: the current lead is found after a wholesale replace', async () => {
      const id = await start();
      await update(id, 'lead, first line\nsecond line\n\nand a paragraph\n\n**Earlier:** older');
      const answer = await installation.call(sessions.prependBuildSessionLead, agent, {
        build_session_id: id,
        new_lead_markdown: 'new',
      });
      expect(answer.current_state_markdown).toBe(
        'new\n\n**Earlier:** lead, first line\nsecond line\n\nand a paragraph\n\n**Earlier:** older',
      );
    });

    it('S11: an ended session takes no state', async () => {
      const id = await start();
      await end(id);
      expect((await refusalOf(update(id, 'late'))).code).toBe('session_ended');
    });
  });

  describe('S12: pull requests', () => {
    it.each(PR_URL_CASES)('S12: $id ($use)', async ({ use, url, expect: expected }) => {
      const id = await start();
      const good = 'https://github.com/acme/app/pull/1';
      const call = use === 'pr' ? record(id, { url }) : record(id, { url: good, linked_issue_url: url });
      const refusal = expected.refused ?? expected.error;
      if (refusal !== undefined) {
        const refused = await refusalOf(call);
        expect([refused.code, (await get(id)).prs]).toEqual([refusal, []]);
        expect(refused.details).toHaveProperty('forms');
        return;
      }
      const { prs } = await call;
      const seen = use === 'pr' ? prs[0] : prs[0]?.linked_issue;
      const { key_one_of: keys, ...rest } = expected;
      expect(seen).toMatchObject(rest);
      if (Array.isArray(keys)) expect(keys).toContain(prs[0]?.linked_issue?.key);
    });

    it('S12: ten recordings of one pull request at once are one row, one addition and one event', async () => {
      const id = await start();
      const tails = ['', '/', '/files', '?w=1', '#x', '/commits', '', '/checks', '?a=b#c', '/files#r1'];
      const answers = await Promise.all(
        tails.map((tail) => record(id, { url: `https://github.com/acme/app/pull/7${tail}` })),
      );
      expect(answers.map((answer) => answer.added).toSorted()).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
      expect((await get(id)).prs).toHaveLength(1);
      expect(await events('build_session.prs_recorded', id)).toHaveLength(1);
    });

    it('S12: two calls with the same pull requests in opposite order do not deadlock', async () => {
      const urls = Array.from({ length: 20 }, (_, index) => ({ url: `https://github.com/acme/app/pull/${index + 1}` }));
      const id = await start();
      const answers = await Promise.all([record(id, ...urls), record(id, ...urls.toReversed()), record(id, ...urls)]);
      expect(answers.reduce((sum, answer) => sum + answer.added, 0)).toBe(20);
    });

    it('S12: works after the end, and fills in an issue that was not known before', async () => {
      const id = await start();
      await record(id, { url: 'https://github.com/acme/app/pull/7' });
      await end(id);
      const issue = 'https://linear.app/acme/issue/ENG-12/do-it';
      const { prs, added } = await record(id, { url: 'https://github.com/acme/app/pull/7', linked_issue_url: issue });
      expect(added).toBe(0);
      expect(prs[0]?.linked_issue).toMatchObject({ tracker: 'linear', key: 'ENG-12' });
    });

    it('S4: commits are recorded once, in lower case, and gain paths', async () => {
      const id = await start();
      const commit = (sha: string, paths: string[]) =>
        installation.call(sessions.recordBuildSessionCommits, agent, {
          build_session_id: id,
          commits: [{ sha, paths }],
        });
      expect(await commit('A'.repeat(40), ['b.ts'])).toMatchObject({ added: 1 });
      expect(await commit('a'.repeat(40), ['a.ts'])).toMatchObject({
        added: 0,
        commits: [{ paths: ['a.ts', 'b.ts'] }],
      });
      expect((await get(id)).commit_shas).toEqual(['a'.repeat(40)]);
    });
  });

  describe('S15: reassigning', () => {
    const reassign = (id: string, project: string) =>
      installation.call(sessions.reassignBuildSessionProject, agent, { build_session_id: id, project });

    it('S15: moves the session, audited once, and none of its decisions', async () => {
      const id = await start();
      const { decision } = await installation.call(catalogue.decisions.appendDecisionLog, agent, {
        title: 'Stays',
        rationale_markdown: 'x',
        decided_on: '2026-11-30',
        changes_public_contract: false,
        build_session_id: id,
      });
      const { project } = await installation.call(projects.getProject, agent, { project: 'other' });
      expect((await reassign(id, 'other')).build_session.project_id).toBe(project.id);
      await reassign(id, 'other');
      expect(await events('build_session.project_reassigned', id)).toHaveLength(1);
      const read = await installation.call(catalogue.decisions.getDecisionLogEntry, agent, {
        decision_id: decision.id,
      });
      expect(read.decision.project_id).not.toBe(project.id);
    });

    it('S15: a key in the way is named, and nothing is moved', async () => {
      const here = await start('acme', 'same');
      const there = await start('other', 'same');
      expect(await refusalOf(reassign(here, 'other'))).toMatchObject({
        code: 'session_conflict',
        details: { build_session_id: there },
      });
      const before = await installation.call(projects.getProject, agent, { project: 'acme' });
      expect((await get(here)).project_id).toBe(before.project.id);
    });

    it('S15: an ended session may be moved beside an active one of the same key', async () => {
      const ended = await start('acme', 'again');
      await end(ended);
      await start('other', 'again');
      const { project } = await installation.call(projects.getProject, agent, { project: 'other' });
      expect((await reassign(ended, 'other')).build_session.project_id).toBe(project.id);
    });
  });
});
