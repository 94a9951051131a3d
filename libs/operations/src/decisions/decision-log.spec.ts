import { catalogue, type RawInputOf } from '@perdure/contracts';
import {
  createTestInstallation,
  refusalOf,
  type TestActor,
  type TestInstallation,
  type TestWorkspace,
} from '@perdure/testkit';
import { Client } from 'pg';

const { decisions, sessions } = catalogue;
type AppendInput = RawInputOf<typeof decisions.appendDecisionLog>;

describe('the decision log', () => {
  let installation: TestInstallation;
  let workspace: TestWorkspace;

  beforeAll(async () => {
    installation = await createTestInstallation();
    workspace = await installation.workspace();
    for (const slug of ['acme', 'other']) {
      await installation.call(catalogue.projects.createProject, workspace.owner, { name: slug, slug });
    }
  });
  afterAll(() => installation.close());

  const start = async (actor: TestActor, branch: string, project = 'acme') =>
    (await installation.call(sessions.startBuildSession, actor, { project, computer: 'mac-1', branch })).build_session;
  const end = (actor: TestActor, id: string) =>
    installation.call(sessions.endBuildSession, actor, {
      build_session_id: id,
      session_history_entry_markdown: 'Done.',
    });
  const append = (actor: TestActor, more: Partial<AppendInput> = {}) =>
    installation.call(decisions.appendDecisionLog, actor, {
      title: 'Use ULIDs',
      rationale_markdown: 'They sort.',
      decided_on: '2026-11-30',
      changes_public_contract: false,
      ...more,
    });

  it('D1: what was given is what is read back, and the append is one event', async () => {
    const actor = await workspace.actor('d1');
    const given = {
      title: 'Grüße 🚀',
      rationale_markdown: '\ufeffa\r\nb\rc',
      decided_on: '2028-02-29',
      changes_public_contract: true,
      kind: 'dead_end' as const,
      tags: ['db', 'db', 'ids'],
      paths: ['src\\a.ts', './src/b.ts', 'src/100%_done.ts'],
      project: 'acme',
    };
    const { decision } = await append(actor, given);
    const read = await installation.call(decisions.getDecisionLogEntry, actor, { decision_id: decision.id });
    expect(read).toEqual({ decision, supersedes: null, superseded_by: null });
    expect(decision).toMatchObject({
      title: given.title,
      rationale_markdown: given.rationale_markdown,
      decided_on: '2028-02-29',
      kind: 'dead_end',
      tags: ['db', 'ids'],
      paths: ['src/a.ts', 'src/b.ts', 'src/100%_done.ts'],
      actor: { name: 'd1', kind: 'agent' },
    });
    const events = await installation.call(catalogue.audit.listAuditEvents, workspace.owner, {
      subject_id: decision.id,
    });
    expect(events.items.map((event) => event.type)).toEqual(['decision.appended']);
  });

  it('D2: two actors interleaving 200 appends on one process never write under the other’s session', async () => {
    const [a, b] = [await workspace.actor('d2-a'), await workspace.actor('d2-b')];
    const [sessionA, sessionB] = [await start(a, 'main'), await start(b, 'topic')];
    await Promise.all(
      Array.from({ length: 100 }, (_, index) => [
        append(a, { title: `A ${index}` }),
        append(b, { title: `B ${index}` }),
      ]).flat(),
    );
    const titlesOf = async (id: string) => {
      const rows: string[] = [];
      let cursor: string | undefined;
      do {
        const page: { items: { title: string }[]; next_cursor: string | null } = await installation.call(
          decisions.listDecisionLog,
          a,
          { build_session_id: id, limit: 200, ...(cursor === undefined ? {} : { cursor }) },
        );
        rows.push(...page.items.map((item) => item.title));
        cursor = page.next_cursor ?? undefined;
      } while (cursor !== undefined);
      return rows;
    };
    const [titlesA, titlesB] = [await titlesOf(sessionA.id), await titlesOf(sessionB.id)];
    expect(titlesA).toHaveLength(100);
    expect(titlesB).toHaveLength(100);
    expect(titlesA.every((title) => title.startsWith('A '))).toBe(true);
    expect(titlesB.every((title) => title.startsWith('B '))).toBe(true);
  });

  it('D2: without a session a project is required; with one it is taken from it', async () => {
    const actor = await workspace.actor('d2-open');
    expect((await refusalOf(append(actor))).code).toBe('project_required');
    expect(await append(actor, { project: 'acme' })).toMatchObject({
      linked_by: 'none',
      decision: { build_session_id: null },
    });
    const session = await start(actor, 'main');
    expect(await append(actor)).toMatchObject({
      linked_by: 'open_session',
      other_open_sessions: [],
      decision: { build_session_id: session.id, project_id: session.project_id },
    });
  });

  it('D2: an explicit project links only to the open session there, an explicit session wins', async () => {
    const actor = await workspace.actor('d2-explicit');
    const here = await start(actor, 'main');
    expect(await append(actor, { project: 'other' })).toMatchObject({
      linked_by: 'none',
      decision: { build_session_id: null },
    });
    const there = await start(actor, 'main', 'other');
    expect(await append(actor, { project: 'other' })).toMatchObject({
      linked_by: 'open_session',
      decision: { build_session_id: there.id },
    });
    expect(await append(actor, { build_session_id: here.id })).toMatchObject({
      linked_by: 'explicit',
      decision: { build_session_id: here.id },
    });
    const mismatch = await refusalOf(append(actor, { build_session_id: here.id, project: 'other' }));
    expect(mismatch.code).toBe('invalid_input');
  });

  it('D2: of several open sessions the one last active is taken and the others are named', async () => {
    const actor = await workspace.actor('d2-several');
    const first = await start(actor, 'one');
    const second = await start(actor, 'two');
    expect(await append(actor)).toMatchObject({
      linked_by: 'latest_open_session',
      decision: { build_session_id: second.id },
    });
    await installation.call(sessions.pingBuildSession, actor, { build_session_id: first.id });
    const third = await append(actor);
    expect(third).toMatchObject({ decision: { build_session_id: first.id } });
    expect(third.other_open_sessions.map((session) => session.id)).toEqual([second.id]);
    await append(actor, { build_session_id: second.id }); // a write is activity too
    expect(await append(actor)).toMatchObject({ decision: { build_session_id: second.id } });
  });

  it('D2: an append that waited while its session ended does not take it', async () => {
    const actor = await workspace.actor('d2-ending');
    const session = await start(actor, 'main');
    const ender = new Client({ connectionString: installation.database.appUrl });
    await ender.connect();
    await ender.query('BEGIN');
    await ender.query(`SELECT set_config('perdure.workspace_id', $1, true)`, [workspace.id]);
    await ender.query(`UPDATE build_session SET status = 'ended', ended_at = now() WHERE id = $1`, [session.id]);
    const waiting = Promise.allSettled([append(actor), append(actor, { project: 'acme' })]);
    await new Promise((resolve) => setTimeout(resolve, 200)); // both stand before the row by now
    await ender.query('COMMIT');
    await ender.end();
    expect(await waiting).toMatchObject([
      { status: 'rejected', reason: { code: 'project_required' } },
      { status: 'fulfilled', value: { linked_by: 'none', decision: { build_session_id: null } } },
    ]);
  });

  it('D2: an end waits for an append that has taken the session', async () => {
    const actor = await workspace.actor('d2-held');
    const session = await start(actor, 'main');
    const appender = new Client({ connectionString: installation.database.appUrl });
    await appender.connect();
    await appender.query('BEGIN');
    await appender.query(`SELECT set_config('perdure.workspace_id', $1, true)`, [workspace.id]);
    await appender.query('SELECT 1 FROM build_session WHERE id = $1 FOR SHARE', [session.id]); // as resolveSource does
    let ended = false;
    const ending = end(actor, session.id).then(() => (ended = true));
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(ended).toBe(false);
    await appender.query('COMMIT');
    await appender.end();
    expect(await ending).toBe(true);
  });

  it('D5: lists are newest first, without rationale, and filter by session, tag, path and date', async () => {
    const actor = await workspace.actor('d5');
    const session = await start(actor, 'list', 'other');
    await append(actor, { title: 'D1', tags: ['x'], decided_on: '2026-01-01' });
    await append(actor, { title: 'D2', paths: ['src/a_b.ts'], changes_public_contract: true });
    const titles = async (filter: object) =>
      (
        await installation.call(decisions.listDecisionLog, actor, { build_session_id: session.id, ...filter })
      ).items.map((item) => item.title);
    expect(await titles({})).toEqual(['D2', 'D1']);
    expect(await titles({ tag: 'x' })).toEqual(['D1']);
    expect(await titles({ path: 'src/a_b.ts' })).toEqual(['D2']);
    expect(await titles({ path: 'src/aXb.ts' })).toEqual([]);
    expect(await titles({ decided_to: '2026-01-01' })).toEqual(['D1']);
    expect(await titles({ changes_public_contract: true })).toEqual(['D2']);
    const page = await installation.call(decisions.listDecisionLog, actor, { build_session_id: session.id });
    expect(page.items[0]).not.toHaveProperty('rationale_markdown');
  });

  describe('D3: append-only beneath the service', () => {
    const statements: [string, string][] = [
      ['DELETE', 'DELETE FROM decision'],
      ['TRUNCATE', 'TRUNCATE decision CASCADE'],
      ...[
        ['title', `title || 'x'`],
        ['rationale_markdown', `'x'`],
        ['decided_on', `'2000-01-01'`],
        ['changes_public_contract', 'NOT changes_public_contract'],
        ['kind', `'preference'`],
        ['tags', `'{y}'`],
        ['paths', `'{y}'`],
        ['actor_id', `'01K5ZQ8W3M9X7B2C4D6E8F0G1H'`],
        ['project_id', `'01K5ZQ8W3M9X7B2C4D6E8F0G1H'`],
        ['workspace_id', `'01K5ZQ8W3M9X7B2C4D6E8F0G1H'`],
        ['appended_at', 'now()'],
        ['audit_event_id', `'01K5ZQ8W3M9X7B2C4D6E8F0G1H'`],
        ['erased_by_event_id', `'01K5ZQ8W3M9X7B2C4D6E8F0G1H'`],
        ['supersedes_decision_id', `'01K5ZQ8W3M9X7B2C4D6E8F0G1H'`],
      ].map(([column, value]): [string, string] => [`UPDATE of ${column}`, `UPDATE decision SET ${column} = ${value}`]),
    ];

    describe.each(['appUrl', 'ownerUrl'] as const)('connected as %s', (role) => {
      let client: Client;
      beforeAll(async () => {
        await append(await workspace.actor('d3'), { project: 'acme' });
        client = new Client({ connectionString: installation.database[role] });
        await client.connect();
        await client.query(`SELECT set_config('perdure.workspace_id', $1, false)`, [workspace.id]);
      });
      afterAll(() => client.end());

      it.each(statements)('refuses %s', async (_label, sql) => {
        await expect(client.query(sql)).rejects.toMatchObject({ code: '42501' });
      });

      it('lets the two source links through', async () => {
        await client.query('BEGIN');
        const { rowCount } = await client.query('UPDATE decision SET build_session_id = NULL, backlog_item_id = NULL');
        await client.query('ROLLBACK');
        expect(rowCount).toBeGreaterThan(0);
      });
    });
  });
});
