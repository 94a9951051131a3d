import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { catalogue, type RawInputOf } from '@perdure/contracts';
import {
  createTestInstallation,
  refusalOf,
  type TestActor,
  type TestInstallation,
  type TestWorkspace,
} from '@perdure/testkit';

const { rules, sessions, projects } = catalogue;
type QueryInput = RawInputOf<typeof rules.queryApplicableRules>;
type CreateInput = RawInputOf<typeof rules.createRule>;

const IMPORT_CASES = path.join(__dirname, '../../../../cases/rules/import');

interface ImportCase {
  readonly file: string;
  readonly import_as: string;
  readonly expect: {
    readonly rejected?: { readonly line: number };
    readonly rules?: readonly unknown[];
    readonly rule?: unknown;
  };
}

describe('rules', () => {
  let installation: TestInstallation;
  let workspace: TestWorkspace;
  let agent: TestActor;
  let names = 0;

  beforeAll(async () => {
    installation = await createTestInstallation();
    workspace = await installation.workspace();
    agent = await workspace.actor('agent');
  });
  afterAll(() => installation.close());

  const newProject = async (attributes?: Record<string, string>) => {
    const slug = `project-${(names += 1)}`;
    const input = { name: slug, slug, ...(attributes === undefined ? {} : { attributes }) };
    await installation.call(projects.createProject, agent, input);
    return slug;
  };
  const create = async (project: string, title: string, more: Partial<CreateInput> = {}) =>
    (
      await installation.call(rules.createRule, workspace.owner, {
        title,
        body_markdown: `Body of ${title}`,
        triggers: {},
        project,
        ...more,
      })
    ).rule;
  const query = (input: QueryInput) => installation.call(rules.queryApplicableRules, agent, input);
  const titles = async (input: QueryInput) => (await query(input)).rules.map((rule) => rule.title);

  it('R1, R3: only rules whose every populated dimension matches are returned, with what matched', async () => {
    const project = await newProject({ framework: 'next' });
    await create(project, 'CSS', { triggers: { paths: ['**/*.css'] } });
    await create(project, 'TS at commit', { triggers: { paths: ['*.ts'], operations: ['commit'] } });
    await create(project, 'Next', { triggers: { project_attributes: { framework: ['next', 'remix'] } } });
    await create(project, 'Silent');
    await create(project, 'Always', { always: true });
    const answer = await query({ project, file_paths: ['src/a.ts'], operations: ['COMMIT'], explain: true });
    expect(answer.rules.map((rule) => [rule.title, rule.matched])).toEqual([
      ['TS at commit', { paths: ['*.ts'], operations: ['commit'] }],
      ['Next', { project_attributes: ['framework=next'] }],
      ['Always', { always: true }],
    ]);
    expect(answer.rules[0]?.body_markdown).toBe('Body of TS at commit');
    expect(await titles({ project, file_paths: ['src/a.ts'] })).toEqual(['Next', 'Always']);
    const near = await query({ project, file_paths: ['src/a.ts'], explain: true });
    expect(near.near_misses).toMatchObject([{ title: 'TS at commit', failed: 'operations' }]);
  });

  it('R1: rules of another project stay there, those of the workspace hold everywhere', async () => {
    const [here, there] = [await newProject(), await newProject()];
    await create(there, 'Theirs', { always: true });
    const { rule } = await installation.call(rules.createRule, workspace.owner, {
      title: 'Everybody',
      body_markdown: 'x',
      triggers: { operations: ['deploy-to-mars'] },
    });
    expect(await titles({ project: here, operations: ['deploy-to-mars'] })).toEqual(['Everybody']);
    expect((await titles({ project: there, operations: ['deploy-to-mars'] })).toSorted()).toEqual([
      'Everybody',
      'Theirs',
    ]);
    await installation.call(rules.archiveRule, workspace.owner, { rule_id: rule.id, reason: 'Done.' });
  });

  it.each([
    ['a lookahead', { code_patterns: ['foo(?=bar)'] }, 'invalid_code_pattern', 'triggers.code_patterns.0'],
    ['an exclusion alone', { paths: ['!docs/**'] }, 'invalid_glob', 'triggers.paths.0'],
    ['an unknown language', { languages: ['typescirpt'] }, 'invalid_input', 'triggers.languages.0'],
    ['an unknown dimension', { globs: ['*.css'] }, 'invalid_input', 'triggers.globs'],
    ['an empty pattern', { paths: [''] }, 'invalid_input', 'triggers.paths.0'],
  ])('R2: %s is refused with its place', async (_label, triggers, code, field) => {
    const raw = { title: 'x', body_markdown: 'x', triggers };
    const call = installation.operations.run(rules.createRule, workspace.owner.caller, raw, { requestId: 'test' });
    expect(await refusalOf(call)).toMatchObject({
      code,
      kind: 'invalid_input',
      details: { fields: [{ path: field }] },
    });
  });

  it('R4: each revision is kept, a repetition makes none, archiving takes it out', async () => {
    const project = await newProject();
    const rule = await create(project, 'One', { triggers: { paths: ['*.ts'] } });
    const revise = (more: object) =>
      installation.call(rules.reviseRule, workspace.owner, { rule_id: rule.id, ...more });
    expect((await revise({ title: 'Two', severity: 'must' })).revision).toBe(2);
    expect((await revise({ title: 'Two' })).revision).toBe(2);
    const whole = await installation.call(rules.getRule, agent, { rule_id: rule.id });
    expect(whole.revisions.map((revision) => [revision.revision, revision.title, revision.actor.name])).toEqual([
      [2, 'Two', 'owner'],
      [1, 'One', 'owner'],
    ]);
    await installation.call(rules.archiveRule, workspace.owner, { rule_id: rule.id, reason: 'Old.' });
    expect(await titles({ project, file_paths: ['a.ts'] })).toEqual([]);
    expect((await refusalOf(revise({ title: 'Three' }))).code).toBe('conflict');
    const events = await installation.call(catalogue.audit.listAuditEvents, workspace.owner, { subject_id: rule.id });
    expect(events.items.map((event) => event.type)).toEqual(['rule.created', 'rule.revised', 'rule.archived']);
    expect(
      (await refusalOf(installation.call(rules.createRule, agent, { title: 'x', body_markdown: 'x', triggers: {} })))
        .code,
    ).toBe('forbidden_scope');
  });

  it('R6: what a session was told comes back short, until it is revised, or the session forgot', async () => {
    const project = await newProject();
    const rule = await create(project, 'Told', { triggers: { paths: ['*.ts'] } });
    const start = (source?: 'clear' | 'compact') =>
      installation.call(sessions.startBuildSession, agent, {
        project,
        computer: 'c',
        branch: 'b',
        ...(source === undefined ? {} : { source }),
      });
    const { build_session } = await start();
    const ask = async (more: object = {}) =>
      (await query({ build_session_id: build_session.id, file_paths: ['a.ts'], ...more })).rules[0];
    expect(await ask()).toMatchObject({ seen_in_session: false, body_markdown: 'Body of Told' });
    expect(await ask()).toEqual({ id: rule.id, title: 'Told', seen_in_session: true });
    expect(await ask({ full: true })).toMatchObject({ seen_in_session: true, body_markdown: 'Body of Told' });
    await installation.call(rules.reviseRule, workspace.owner, { rule_id: rule.id, body_markdown: 'New text' });
    expect(await ask()).toMatchObject({ seen_in_session: false, body_markdown: 'New text' });
    for (const source of ['clear', 'compact'] as const) {
      await start(source);
      expect(await ask()).toMatchObject({ seen_in_session: false });
    }
  });

  it('R4: importing writes what the cases say, a second time nothing, and a dry run nothing at all', async () => {
    const expected: { cases: ImportCase[] } | ImportCase[] = JSON.parse(
      readFileSync(path.join(IMPORT_CASES, 'expected.json'), 'utf8'),
    );
    const cases = Array.isArray(expected) ? expected : expected.cases;
    expect(readdirSync(path.join(IMPORT_CASES, 'files')).length).toBe(cases.length);
    const project = await newProject();
    for (const each of cases) {
      const bytes = readFileSync(path.join(IMPORT_CASES, 'files', each.file));
      const content = bytes.toString('utf8');
      if (content.includes('\ufffd') || content === '') continue; // bytes that no JSON argument can carry, and no text
      const files = [{ path: each.import_as, content }];
      const run = (dry_run: boolean) =>
        installation.call(rules.importRules, workspace.owner, { files, project, dry_run });
      const dry = await run(true);
      const first = await run(false);
      const again = await run(false);
      const wanted = each.expect.rules?.length ?? (each.expect.rule === undefined ? 0 : 1);
      expect([each.file, dry.created.length]).toEqual([each.file, wanted]);
      expect([each.file, first.created.length, again.created.length, again.unchanged.length]).toEqual([
        each.file,
        wanted,
        0,
        wanted,
      ]);
      expect([each.file, first.rejected.map((file) => file.line)]).toEqual([
        each.file,
        each.expect.rejected === undefined ? [] : [each.expect.rejected.line],
      ]);
    }
  });

  it('R4: what is exported is imported unchanged', async () => {
    const project = await newProject();
    await create(project, 'Paths', { triggers: { paths: ['src/**/*.ts'] }, severity: 'must' });
    const { files } = await installation.call(rules.exportRules, agent, { format: 'cursor', project });
    const own = files.filter((file) => file.content.includes('Body of Paths'));
    expect(own.map((file) => file.path)).toEqual(['.cursor/rules/paths.mdc']);
    const target = await newProject();
    const result = await installation.call(rules.importRules, workspace.owner, { files: own, project: target });
    expect(result.created).toMatchObject([{ title: 'Paths' }]);
    expect((await query({ project: target, file_paths: ['src/a/b.ts'] })).rules).toMatchObject([
      { title: 'Paths', severity: 'must' },
    ]);
  });
});
