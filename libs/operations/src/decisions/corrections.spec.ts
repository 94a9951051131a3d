import { catalogue, type RawInputOf } from '@perdure/contracts';
import {
  createTestInstallation,
  refusalOf,
  type TestActor,
  type TestInstallation,
  type TestWorkspace,
} from '@perdure/testkit';

const { decisions, sessions } = catalogue;
type AppendInput = RawInputOf<typeof decisions.appendDecisionLog>;

describe('corrections, paths and exports of decisions', () => {
  let installation: TestInstallation;
  let workspace: TestWorkspace;
  let agent: TestActor;

  beforeAll(async () => {
    installation = await createTestInstallation();
    workspace = await installation.workspace();
    agent = await workspace.actor('agent');
    for (const slug of ['acme', 'paths', 'export', 'other']) {
      await installation.call(catalogue.projects.createProject, agent, { name: slug, slug });
    }
  });
  afterAll(() => installation.close());

  const text = { rationale_markdown: 'Because.', decided_on: '2026-11-30', changes_public_contract: false };
  const append = async (title: string, more: Partial<AppendInput> = {}) =>
    (await installation.call(decisions.appendDecisionLog, agent, { title, ...text, project: 'acme', ...more }))
      .decision;
  const correct = (id: string, title: string) =>
    installation.call(decisions.correctDecisionLog, agent, { supersedes_decision_id: id, title, ...text });
  const start = async (project: string, branch: string) =>
    (await installation.call(sessions.startBuildSession, agent, { project, computer: 'mac-1', branch })).build_session
      .id;

  it('D4: a correction points at what it supersedes, reading either shows both, and lists mark it', async () => {
    const first = await append('First', { tags: ['t'], paths: ['a.ts'], kind: 'constraint' });
    const { decision, superseded } = await correct(first.id, 'Second');
    expect(decision).toMatchObject({
      supersedes_decision_id: first.id,
      tags: ['t'],
      paths: ['a.ts'],
      kind: 'constraint',
    });
    expect(superseded).toEqual({ ...first, superseded_by_decision_id: decision.id });
    const read = (id: string) => installation.call(decisions.getDecisionLogEntry, agent, { decision_id: id });
    expect((await read(first.id)).superseded_by).toMatchObject({ id: decision.id });
    expect((await read(decision.id)).supersedes).toMatchObject({ id: first.id });
    const list = async (include_superseded: boolean) =>
      (await installation.call(decisions.listDecisionLog, agent, { tag: 't', include_superseded })).items;
    expect((await list(true)).map((item) => item.superseded_by_decision_id)).toEqual([null, decision.id]);
    expect((await list(false)).map((item) => item.id)).toEqual([decision.id]);
    const events = await installation.call(catalogue.audit.listAuditEvents, workspace.owner, {
      subject_id: decision.id,
    });
    expect(events.items.map((event) => event.type)).toEqual(['decision.corrected']);
  });

  it('D4: of ten corrections at once one is stored and the others are told which', async () => {
    const first = await append('Contended');
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, (_, index) => correct(first.id, `Fix ${index}`)),
    );
    const stored = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value.decision.id] : []));
    expect(stored).toHaveLength(1);
    for (const outcome of outcomes) {
      if (outcome.status === 'fulfilled') continue;
      expect(outcome.reason).toMatchObject({
        code: 'already_superseded',
        details: { superseded_by_decision_id: stored[0] },
      });
    }
    const { decisions: history } = await installation.call(decisions.getDecisionLogHistory, agent, {
      decision_id: first.id,
    });
    expect(history).toHaveLength(2);
  });

  it('D4, D5: a correction of a correction is a chain, the same from each of its entries', async () => {
    const first = await append('A');
    const second = (await correct(first.id, 'B')).decision;
    const third = (await correct(second.id, 'C')).decision;
    for (const id of [first.id, second.id, third.id]) {
      const { decisions: chain } = await installation.call(decisions.getDecisionLogHistory, agent, { decision_id: id });
      expect(chain.map((entry) => entry.title)).toEqual(['A', 'B', 'C']);
    }
    expect((await refusalOf(correct(first.id, 'D'))).code).toBe('already_superseded');
  });

  it('D4: an unknown entry is not found, and nothing is written', async () => {
    const before = await installation.call(decisions.listDecisionLog, agent, { limit: 200, include_superseded: true });
    expect((await refusalOf(correct('01K5ZQ8W3M9X7B2C4D6E8F0G1H', 'x'))).code).toBe('not_found');
    const after = await installation.call(decisions.listDecisionLog, agent, { limit: 200, include_superseded: true });
    expect(after.items).toHaveLength(before.items.length);
  });

  it('D5: a source session is linked once, audited, and only within the project', async () => {
    const decision = await append('Unlinked');
    const id = await start('acme', 'link');
    const link = (build_session_id: string) =>
      installation.call(decisions.linkDecisionSourceSession, agent, { decision_id: decision.id, build_session_id });
    expect((await link(id)).decision.build_session_id).toBe(id);
    await link(id);
    expect((await refusalOf(link(await start('other', 'link')))).code).toBe('invalid_input');
    const events = await installation.call(catalogue.audit.listAuditEvents, workspace.owner, {
      subject_id: decision.id,
      type: 'decision.source_linked',
    });
    expect(events.items).toHaveLength(1);
  });

  describe('D6, D7: decisions for a path', () => {
    let session: string;
    const commit = (paths: string[], sha: string) =>
      installation.call(sessions.recordBuildSessionCommits, agent, {
        build_session_id: session,
        commits: [{ sha, paths }],
      });
    const forPath = async (path: string) =>
      (await installation.call(decisions.decisionsForPath, agent, { project: 'paths', path })).items;

    it('D6: are found through their own paths, folders above and below, and commits of their session', async () => {
      session = await start('paths', 'main');
      await append('own', { project: 'paths', paths: ['src/a.ts'], build_session_id: session });
      await append('folder', { project: 'paths', paths: ['src'] });
      await append('by commit', { project: 'paths', build_session_id: session });
      await commit(['src/b.ts'], 'b'.repeat(40));
      const titles = async (path: string) => (await forPath(path)).map((item) => [item.title, item.matched_by]);
      expect(await titles('src/a.ts')).toEqual([
        ['folder', ['paths']],
        ['own', ['paths']],
      ]);
      expect(await titles('src/b.ts')).toEqual([
        ['by commit', ['commits']],
        ['folder', ['paths', 'commits']],
        ['own', ['commits']],
      ]);
      expect((await titles('src')).length).toBe(3);
      expect(await titles('src/a')).toEqual([['folder', ['paths']]]);
    });

    it('D7: an entry whose paths later commits changed is stale with those commits, and a newer one is not', async () => {
      const old = await append('old', { project: 'paths', paths: ['lib/x.ts'] });
      await new Promise((resolve) => setTimeout(resolve, 5));
      await commit(['lib/x.ts', 'lib/y.ts'], 'c'.repeat(40));
      await new Promise((resolve) => setTimeout(resolve, 5));
      const fresh = await append('fresh', { project: 'paths', paths: ['lib/x.ts'] });
      const items = await forPath('lib/x.ts');
      expect(items.find((item) => item.id === old.id)?.stale?.commits).toMatchObject([
        { sha: 'c'.repeat(40), build_session_id: session },
      ]);
      expect(items.find((item) => item.id === fresh.id)?.stale).toBeNull();
    });

    it('D6: wildcards of a pattern language are plain characters', async () => {
      await append('percent', { project: 'paths', paths: ['src2/100%_done/a_b.ts'] });
      expect(await forPath('src2/100%_done/aXb.ts')).toEqual([]);
      expect(await forPath('src2/100%_done/a_b.ts')).toHaveLength(1);
    });
  });

  describe('D5: export', () => {
    beforeAll(async () => {
      const first = await append('x\n---\nstatus: accepted\n---', {
        project: 'export',
        rationale_markdown: 'Line\n---\nend',
      });
      await append('../../.github/workflows/own', { project: 'export' });
      await correct(first.id, 'Better: yes "quoted"');
    });

    it('D5: NDJSON holds every entry whole, in the order they were appended', async () => {
      const { files } = await installation.call(decisions.exportDecisionLog, agent, {
        project: 'export',
        format: 'ndjson',
      });
      const lines = files[0]?.content
        .trimEnd()
        .split('\n')
        .map((line): unknown => JSON.parse(line));
      expect(lines).toMatchObject([
        { title: 'x\n---\nstatus: accepted\n---' },
        { title: '../../.github/workflows/own' },
        { title: 'Better: yes "quoted"' },
      ]);
    });

    it('D5: MADR files keep their place and their own frontmatter whatever a title holds', async () => {
      const { files } = await installation.call(decisions.exportDecisionLog, agent, {
        project: 'export',
        format: 'madr',
      });
      expect(files.map((file) => file.path)).toEqual([
        'decisions/0001-x-status-accepted.md',
        'decisions/0002-github-workflows-own.md',
        'decisions/0003-better-yes-quoted.md',
      ]);
      const [first] = files;
      expect(first?.content.split('\n').slice(0, 2)).toEqual([
        '---',
        'status: "superseded by 0003-better-yes-quoted.md"',
      ]);
      expect(first?.content).toContain('\n# x --- status: accepted ---\n');
    });
  });
});
