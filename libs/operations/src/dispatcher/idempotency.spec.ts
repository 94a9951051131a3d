import { catalogue } from '@perdure/contracts';
import {
  createTestInstallation,
  refusalOf,
  type TestActor,
  type TestInstallation,
  type TestWorkspace,
} from '@perdure/testkit';

const append = catalogue.decisions.appendDecisionLog;

describe('idempotency', () => {
  let installation: TestInstallation;
  let workspace: TestWorkspace;
  let agent: TestActor;
  let now = new Date('2026-11-30T12:00:00.000Z');

  beforeAll(async () => {
    installation = await createTestInstallation({ clock: () => now });
    workspace = await installation.workspace();
    agent = await workspace.actor('agent');
    await installation.call(catalogue.projects.createProject, agent, { name: 'acme', slug: 'acme' });
  });
  afterAll(() => installation.close());

  const decision = (title = 'Once') => ({
    title,
    rationale_markdown: 'Because.',
    decided_on: '2026-11-30',
    changes_public_contract: false,
    project: 'acme',
  });
  const send = (key: string, input: object = decision(), actor = agent) =>
    installation.operations.run(append, actor.caller, { ...input, idempotency_key: key }, { requestId: 'test' });
  const rows = async (title: string) =>
    (await installation.call(catalogue.decisions.listDecisionLog, agent, { limit: 200 })).items.filter(
      (item) => item.title === title,
    ).length;

  it('T4: 20 concurrent sends of one key give one row, one event and 20 equal answers, 19 of them replayed', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => send('k-1')));
    expect(answers.filter((answer) => answer.replayed)).toHaveLength(19);
    for (const answer of answers) expect(answer.output).toEqual(answers[0]?.output);
    expect(await rows('Once')).toBe(1);
    const events = await installation.call(catalogue.audit.listAuditEvents, workspace.owner, {
      type: 'decision.appended',
    });
    expect(events.items).toHaveLength(1);
  });

  it('T4: another body with the same key is a mismatch; another actor or operation has keys of its own', async () => {
    await send('k-2', decision('First'));
    expect((await refusalOf(send('k-2', decision('Second')))).code).toBe('idempotency_mismatch');
    const other = await workspace.actor('other');
    expect((await send('k-2', decision('Second'), other)).replayed).toBe(false);
    const project = await installation.operations.run(
      catalogue.projects.createProject,
      agent.caller,
      { name: 'k-2', idempotency_key: 'k-2' },
      { requestId: 'test' },
    );
    expect(project.replayed).toBe(false);
  });

  it('T4: the header and the argument are one key; two that differ are refused', async () => {
    const header = (key: string, input: object) =>
      installation.operations.run(append, agent.caller, input, { requestId: 'test', idempotencyKey: key });
    expect((await send('k-3', decision('Header'))).replayed).toBe(false);
    expect((await header('k-3', decision('Header'))).replayed).toBe(true);
    expect((await refusalOf(header('k-4', { ...decision(), idempotency_key: 'k-5' }))).code).toBe('invalid_input');
  });

  it('T4: a refused call strands no key', async () => {
    expect((await refusalOf(send('k-6', { ...decision('Later'), project: 'nowhere' }))).code).toBe('not_found');
    expect((await send('k-6', decision('Later'))).replayed).toBe(false);
  });

  it('T4: after 24 hours a key is free again', async () => {
    await send('k-7', decision('Old'));
    now = new Date('2026-12-01T12:00:00.000Z');
    expect((await send('k-7', decision('Old'))).replayed).toBe(true);
    now = new Date('2026-12-01T12:00:00.001Z');
    expect((await send('k-7', decision('New'))).replayed).toBe(false);
  });

  it('T4: a secret shown once comes back as null and is stored nowhere', async () => {
    const issue = () =>
      installation.operations.run(
        catalogue.access.issueCredential,
        workspace.owner.caller,
        { actor: 'keyed', preset: 'agent', idempotency_key: 'k-8' },
        { requestId: 'test' },
      );
    const first = await issue();
    const again = await issue();
    expect(first.output['secret']).toMatch(/^prd_live_/);
    expect(again).toMatchObject({ replayed: true, output: { secret: null, credential: first.output['credential'] } });
  });
});
