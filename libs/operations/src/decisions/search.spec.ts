import { catalogue } from '@perdure/contracts';
import { Client } from 'pg';
import { createTestInstallation, type TestActor, type TestInstallation, type TestWorkspace } from '@perdure/testkit';

const { decisions } = catalogue;

describe('searching', () => {
  let installation: TestInstallation;
  let workspace: TestWorkspace;
  let agent: TestActor;

  const ENTRIES: [string, string][] = [
    ['Use ULIDs for ids', 'They sort by time and are short.'],
    ['Retry payments', 'PaymentClient.sendWithRetry keeps the Idempotency-Key; see PAY-1234.'],
    ['Ordner für Prüfungen', 'Die Größe der Datei zählt nicht.'],
    ['注文の再試行', '支払い呼び出しを再試行できるようにする。'],
    ['Coverage is 100% of src/a_b.ts', 'And 100 percent of nothing else.'],
    ['Words apart', 'keeps some words and also the other Key.'],
  ];

  beforeAll(async () => {
    installation = await createTestInstallation();
    workspace = await installation.workspace();
    agent = await workspace.actor('agent');
    await installation.call(catalogue.projects.createProject, agent, { name: 'acme', slug: 'acme' });
    for (const [title, rationale_markdown] of ENTRIES) {
      await installation.call(decisions.appendDecisionLog, agent, {
        title,
        rationale_markdown,
        decided_on: '2026-11-30',
        changes_public_contract: false,
        project: 'acme',
      });
    }
  });
  afterAll(() => installation.close());

  const search = async (query: string, more: object = {}) =>
    (await installation.call(decisions.searchDecisionLog, agent, { query, ...more })).items;
  const titles = async (query: string) => (await search(query)).map((item) => item.title);

  it.each([
    ['a word', 'payments', ['Retry payments']],
    ['a prefix', 'pay', ['Retry payments']],
    ['another case', 'ulids', ['Use ULIDs for ids']],
    ['an identifier', 'PaymentClient.sendWithRetry', ['Retry payments']],
    ['the inside of an identifier', 'WithRetry', ['Retry payments']],
    ['an issue key', 'PAY-1234', ['Retry payments']],
    ['a path', 'src/a_b.ts', ['Coverage is 100% of src/a_b.ts']],
    ['a percent sign', '100%', ['Coverage is 100% of src/a_b.ts']],
    ['German', 'größe', ['Ordner für Prüfungen']],
    ['Japanese', '再試行', ['注文の再試行']],
    ['a phrase', '"keeps the"', ['Retry payments']],
    ['no phrase', '"the keeps"', []],
    ['two words anywhere', 'keeps key', ['Words apart', 'Retry payments']],
    ['a word and the inside of an identifier', 'payments withretry', ['Retry payments']],
    ['a word and an issue key', 'retry PAY-1234,', ['Retry payments']],
    ['a part of a path and a number', 'a_b.ts 100%', ['Coverage is 100% of src/a_b.ts']],
    ['two Japanese words', '呼び出し 注文', ['注文の再試行']],
    ['a prefix with a star', 'idempot* retry', ['Retry payments']],
    ['typographic quotes', '„keeps the“ retry', ['Retry payments']],
    ['quotation marks alone', '""', []],
    ['nothing', 'kafka', []],
  ])('D5: %s finds what it should', async (_label, query, expected) => {
    expect((await titles(query)).toSorted()).toEqual(expected.toSorted());
  });

  it.each(["a & | !( 'x:*", '"unclosed phrase', '(a+)+$', '%', '_', "'; DROP TABLE decision; --", '\\', '***', ':*'])(
    'D5: %j is a query like any other, and an error of nobody',
    async (query) => {
      await expect(search(query)).resolves.toBeInstanceOf(Array);
    },
  );

  it('D5: the title counts most, and what matched is shown with its surroundings', async () => {
    const [first] = await search('retry');
    expect(first).toMatchObject({ title: 'Retry payments' });
    expect(first?.rank).toBeGreaterThan(0);
    expect(first?.highlights).toEqual([
      { field: 'title', text: '«Retry» payments' },
      { field: 'rationale_markdown', text: 'PaymentClient.sendWith«Retry» keeps the Idempotency-Key; see PAY-1234.' },
    ]);
  });

  it('D5: pages hold every match once', async () => {
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page: { items: { id: string }[]; next_cursor: string | null } = await installation.call(
        decisions.searchDecisionLog,
        agent,
        { query: 'of', limit: 1, ...(cursor === undefined ? {} : { cursor }) },
      );
      seen.push(...page.items.map((item) => item.id));
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.length).toBe((await search('of')).length);
  });

  it('S14, B3: sessions are found by intent, notes and history, items by title and body', async () => {
    const { build_session } = await installation.call(catalogue.sessions.startBuildSession, agent, {
      project: 'acme',
      computer: 'c',
      branch: 'b',
      intent: 'Fix cartTotals.roundUp',
    });
    const found = await installation.call(catalogue.sessions.listBuildSessions, agent, { search: 'roundUp' });
    expect(found.items.map((session) => session.id)).toEqual([build_session.id]);
    const none = await installation.call(catalogue.sessions.listBuildSessions, agent, { search: 'roundDown' });
    expect(none.items).toEqual([]);
  });

  it('I1: what looks behind row-level security answers for the workspace of the transaction alone', async () => {
    const other = await installation.workspace();
    const client = new Client({ connectionString: installation.database.appUrl });
    await client.connect();
    const found = async (workspaceId: string | null, table: string) => {
      await client.query('BEGIN');
      if (workspaceId !== null)
        await client.query(`SELECT set_config('perdure.workspace_id', $1, true)`, [workspaceId]);
      const { rowCount } = await client.query(`SELECT * FROM perdure_search_${table}('{%}', NULL)`);
      await client.query('ROLLBACK');
      return rowCount;
    };
    expect(await found(agent.caller.workspaceId, 'decision')).toBeGreaterThan(5);
    for (const table of ['decision', 'backlog_item', 'rule', 'build_session']) {
      expect([await found(other.id, table), await found(null, table)]).toEqual([0, 0]);
    }
    await client.end();
  });
});
