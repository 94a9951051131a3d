import { catalogue } from '@perdure/contracts';
import {
  createTestInstallation,
  refusalOf,
  type TestActor,
  type TestInstallation,
  type TestWorkspace,
} from '@perdure/testkit';
import { NOTHING, classes, model, transcript } from './testing/transcripts.js';

const { recordBuildSessionUsage, summariseUsage } = catalogue.usage;

let installation: TestInstallation;
let workspace: TestWorkspace;
let agent: TestActor;

beforeAll(async () => {
  installation = await createTestInstallation();
});
afterAll(() => installation.close());
beforeEach(async () => {
  workspace = await installation.workspace();
  agent = await workspace.actor('agent');
});

async function session(slug = 'demo', branch = 'main') {
  await installation.call(catalogue.projects.createProject, agent, { name: slug, slug }).catch(() => undefined);
  const { build_session } = await installation.call(catalogue.sessions.startBuildSession, agent, {
    project: slug,
    computer: 'desk',
    branch,
  });
  return build_session.id;
}

const record = (build_session_id: string, ...transcripts: ReturnType<typeof transcript>[]) =>
  installation.call(recordBuildSessionUsage, agent, { build_session_id, transcripts });

type Range = Partial<Parameters<typeof installation.call<typeof summariseUsage>>[2]>;

const summary = (given: Range) =>
  installation.call(summariseUsage, workspace.owner, {
    from: '2026-01-01',
    to: '2026-12-31',
    group_by: [],
    ...given,
  });

describe('record_build_session_usage', () => {
  it('U1: a report again overwrites, and its models are replaced with it', async () => {
    const id = await session();
    const first = transcript('t', { version: [1, 10, 1], models: [model('a', { output_tokens: 5 }), model('b')] });
    expect(await record(id, first)).toMatchObject({ results: [{ transcript_id: 't', status: 'accepted' }] });
    const next = transcript('t', { version: [1, 20, 2], models: [model('a', { output_tokens: 7, turns: 2 })] });
    expect(await record(id, next)).toEqual({
      results: [{ transcript_id: 't', status: 'overwritten' }],
      totals: { ...NOTHING, turns: 2, output_tokens: 7 },
    });
    expect(await record(id, next)).toMatchObject({ results: [{ status: 'unchanged' }] });
    expect(await record(id, first)).toMatchObject({ results: [{ status: 'stale_ignored' }], totals: { turns: 2 } });
    const { rows } = await summary({ group_by: ['model'] });
    expect(rows.map((row) => row.model)).toEqual(['a']);
  });

  it('U1: transcripts of one call are one after the other, and results keep their order', async () => {
    const id = await session();
    const answer = await record(
      id,
      transcript('z', { version: [1, 1, 1] }),
      transcript('a'),
      transcript('z', { version: [1, 2, 1] }),
      transcript('z', { version: [1, 1, 9] }),
    );
    expect(answer.results.map(({ transcript_id, status }) => [transcript_id, status])).toEqual([
      ['z', 'accepted'],
      ['a', 'accepted'],
      ['z', 'overwritten'],
      ['z', 'stale_ignored'],
    ]);
  });

  it('U2: the newest report decides the build session, and both sessions say so', async () => {
    const [one, other] = [await session('demo', 'one'), await session('demo', 'other')];
    await record(one, transcript('t', { version: [1, 1, 1] }));
    await record(other, transcript('t', { version: [1, 2, 1] }));
    const read = async (build_session_id: string) =>
      (await installation.call(catalogue.sessions.getBuildSession, agent, { build_session_id })).build_session;
    expect((await read(one)).usage_totals).toEqual(NOTHING);
    expect((await read(other)).usage_totals).toMatchObject({ turns: 1 });
  });

  it('U6: sub-agents count with the session, and without them it can be told', async () => {
    const id = await session();
    await record(id, transcript('p'), { ...transcript('p/agent-1'), parent_transcript_id: 'p' });
    const { usage } = await installation.call(catalogue.sessions.getBuildSessionAggregate, agent, {
      build_session_id: id,
    });
    expect([usage.turns, usage.without_children.turns]).toEqual([2, 1]);
    expect((await summary({ include_children: false })).totals.turns).toBe(1);
    expect((await summary({})).totals.turns).toBe(2);
  });

  it('U7: an estimate is marked wherever it is counted', async () => {
    const id = await session();
    await record(id, transcript('exact', { models: [model('a')] }), {
      ...transcript('guess', { models: [model('b')] }),
      quality: 'estimated',
    });
    const { rows, totals } = await summary({ group_by: ['model'] });
    expect(rows.map((row) => [row.model, row.estimated])).toEqual([
      ['a', false],
      ['b', true],
    ]);
    expect(totals.estimated).toBe(true);
  });

  it.each([-1, 1.5, 2 ** 53])('U7: a count of %d is refused by its name, and nothing is written', async (count) => {
    const id = await session();
    const bad = transcript('bad', { models: [model('a', { cache_read_tokens: count })] });
    const refusal = await refusalOf(record(id, transcript('good'), bad));
    expect(refusal).toMatchObject({
      code: 'invalid_input',
      details: { fields: [{ path: 'transcripts.1.models.0.cache_read_tokens' }] },
    });
    expect((await summary({})).totals.turns).toBe(0);
  });

  it('U1: the largest count is kept exactly', async () => {
    const id = await session();
    const { totals } = await record(id, transcript('t', { models: [model('a', { input_tokens: 2 ** 53 - 1 })] }));
    expect(totals.input_tokens).toBe(Number.MAX_SAFE_INTEGER);
  });

  it('I1: a session of another workspace is not found', async () => {
    expect(await refusalOf(record('01K5ZQ8W3M9X7B2C4D6E8F0G1H', transcript('t')))).toMatchObject({ code: 'not_found' });
  });

  it('I4: reports beyond the quota of a day are refused, the next day not', async () => {
    const id = await session();
    await installation.call(catalogue.platform.setWorkspaceQuota, installation.platform, {
      workspace: workspace.id,
      usage_reports_per_day: 2,
    });
    await record(id, transcript('a'), transcript('b'));
    const refusal = await refusalOf(record(id, transcript('c')));
    expect(refusal).toMatchObject({
      code: 'quota_exceeded',
      details: { quota: 'usage_reports_per_day', limit: 2, used: 2 },
    });
    expect((await summary({})).totals.turns).toBe(2);
  });
});

describe('U6: a response in several transcripts', () => {
  const shared = { hash: 'aaaaaaaaaaaaaaaa', first_at: '2026-11-30T10:00:00Z', ...classes({ output_tokens: 40 }) };
  const own = { hash: 'bbbbbbbbbbbbbbbb', first_at: '2026-11-30T12:00:00Z', ...classes({ output_tokens: 2 }) };

  it('counts once, for the transcript that had it first, whichever is reported first', async () => {
    const original = transcript('original', { responses: [shared] });
    const fork = transcript('fork', { responses: [{ ...shared, first_at: '2026-11-30T11:00:00Z' }, own] });
    for (const order of [
      [original, fork],
      [fork, original],
    ]) {
      workspace = await installation.workspace();
      agent = await workspace.actor('agent');
      const [one, other] = [await session('demo', 'one'), await session('demo', 'other')];
      for (const report of order) await record(report === original ? one : other, report);
      const { rows } = await summary({ group_by: ['build_session'] });
      expect(rows.map((row) => [row.build_session === one, row.output_tokens, row.turns])).toEqual([
        [true, 40, 1],
        [false, 2, 1],
      ]);
    }
  });

  it('goes to the next when its owner does not name it any more', async () => {
    const id = await session();
    await record(id, transcript('a', { version: [1, 1, 1], responses: [shared] }));
    await record(id, transcript('b', { version: [1, 1, 1], responses: [shared] }));
    expect((await summary({})).totals).toMatchObject({ turns: 1, output_tokens: 40 });
    const { totals } = await record(id, transcript('a', { version: [1, 2, 1], responses: [own] }));
    expect(totals).toMatchObject({ turns: 2, output_tokens: 42 });
    // Without responses a report counts as it is.
    const plain = transcript('a', { version: [1, 3, 1], models: [model('a', { output_tokens: 100 })] });
    expect((await record(id, plain)).totals).toMatchObject({ turns: 2, output_tokens: 140 });
  });

  it('cannot bring more than its model says, nor be named twice', async () => {
    const id = await session();
    const more = { ...transcript('b', { responses: [shared, own] }), models: [model('a', { output_tokens: 41 })] };
    expect((await record(id, more)).totals).toMatchObject({ turns: 1, output_tokens: 41 });
    // What another transcript owns is taken away all the same, and leaves nothing below zero.
    const earlier = { ...shared, first_at: '2026-11-30T09:00:00Z', output_tokens: 60 };
    expect((await record(id, transcript('a', { responses: [earlier] }))).totals).toMatchObject({
      turns: 1,
      output_tokens: 61,
    });
    const twice = transcript('t', { responses: [shared, shared] });
    expect(await refusalOf(record(id, twice))).toMatchObject({
      details: { fields: [{ path: 'transcripts.0.responses.1.hash', message: 'is given twice' }] },
    });
  });
});

describe('U4: days', () => {
  const at = (hash: string, first_at: string) => ({ hash: hash.repeat(16), first_at, ...classes({ input_tokens: 1 }) });
  const days = async (given: Range) =>
    Object.fromEntries((await summary({ group_by: ['day'], ...given })).rows.map((row) => [row.day, row.turns]));

  it('a transcript across midnight counts its responses on both days', async () => {
    const id = await session();
    const responses = [at('1', '2026-11-30T23:59:59.999Z'), at('2', '2026-12-01T00:00:00Z')];
    await record(id, transcript('t', { responses }));
    expect(await days({})).toEqual({ '2026-11-30': 1, '2026-12-01': 1 });
    expect(await days({ timezone: 'Asia/Kathmandu' })).toEqual({ '2026-12-01': 2 });
    expect(await days({ to: '2026-11-30' })).toEqual({ '2026-11-30': 1 });
  });

  it('of 23 and of 25 hours are whole', async () => {
    const id = await session();
    const hours = (day: string, from: number, count: number) =>
      Array.from({ length: count }, (_, hour) => new Date(Date.parse(`${day}T00:30:00Z`) + (from + hour) * 3_600_000));
    // Berlin goes to summer time on 29 March and back on 25 October 2026.
    const instants = [...hours('2026-03-28', 20, 40), ...hours('2026-10-24', 20, 40)];
    const responses = instants.map((instant, index) => ({
      ...at('0', instant.toISOString()),
      hash: index.toString(16).padStart(16, '0'),
    }));
    await record(id, transcript('t', { responses }));
    const berlin = await days({ timezone: 'Europe/Berlin' });
    expect(berlin).toMatchObject({ '2026-03-29': 23, '2026-10-25': 25 });
    const one = { timezone: 'Europe/Berlin', from: '2026-10-25', to: '2026-10-25' };
    expect(await days(one)).toEqual({ '2026-10-25': 25 });
  });

  it('without responses a report counts where its transcript began', async () => {
    const id = await session();
    await record(id, { ...transcript('t'), first_at: '2026-05-01T23:00:00+02:00', last_at: '2026-05-03T01:00:00Z' });
    expect(await days({})).toEqual({ '2026-05-01': 1 });
  });

  it('of a range by instants: from included, to not', async () => {
    const id = await session();
    await record(
      id,
      transcript('t', { responses: [at('1', '2026-05-01T10:00:00Z'), at('2', '2026-05-01T11:00:00Z')] }),
    );
    const { totals } = await summary({ from: '2026-05-01T10:00:00Z', to: '2026-05-01T13:00:00+02:00' });
    expect(totals.turns).toBe(1);
  });

  it.each(['Mars/Olympus', '+05:00', 'UTC; DROP TABLE x', ''])(
    'a zone that is none is refused: %j',
    async (timezone) => {
      const refusal = await refusalOf(summary({ timezone }));
      expect(refusal).toMatchObject({ code: 'invalid_input', details: { fields: [{ path: 'timezone' }] } });
    },
  );

  it.each(['2026-02-30', 'today', '2026-05-01T25:00:00Z', '2026-05-01T10:00:00'])(
    '%s is no place in time',
    async (from) => {
      const refusal = await refusalOf(summary({ from }));
      expect(refusal).toMatchObject({ code: 'invalid_input', details: { fields: [{ path: 'from' }] } });
    },
  );
});

it('U4: totals by every group at once, after a session changed its project', async () => {
  const id = await session('first');
  await installation.call(catalogue.projects.createProject, agent, { name: 'second', slug: 'second' });
  await record(id, { ...transcript('t'), first_at: '2026-05-01T10:00:00Z' });
  await installation.call(catalogue.sessions.reassignBuildSessionProject, agent, {
    build_session_id: id,
    project: 'second',
  });
  const { rows } = await summary({ group_by: ['project', 'actor', 'model', 'client', 'day', 'build_session'] });
  expect(rows).toMatchObject([
    {
      project: { slug: 'second' },
      actor: { name: 'agent' },
      model: 'a',
      client: 'claude-code',
      day: '2026-05-01',
      build_session: id,
      turns: 1,
    },
  ]);
});
