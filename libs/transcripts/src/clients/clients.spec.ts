import type { ClientName } from '../index.js';
import { linesOf, readBytes, readRecords, type NamedBytes } from '../testing/read-bytes.js';

const at = (second: number) => new Date(Date.UTC(2026, 10, 10, 10, 0, second)).toISOString();

const usage = (input: number, output: number) => ({ input_tokens: input, output_tokens: output });
const answer = (id: string | null, figures: unknown, more: object = {}) => ({
  type: 'assistant',
  uuid: `u-${id}`,
  timestamp: at(1),
  ...more,
  message: { ...(id === null ? {} : { id }), model: 'm', usage: figures },
});
const prompt = (text: unknown, more: object = {}) => ({
  type: 'user',
  uuid: 'u',
  timestamp: at(0),
  message: { role: 'user', content: text },
  ...more,
});

const sums = (client: ClientName, files: readonly NamedBytes[]) =>
  readBytes(client, files).map(({ report }) => ({
    id: report.transcript_id,
    turns: report.models.reduce((sum, { turns }) => sum + turns, 0),
    output: report.models.reduce((sum, { output_tokens: output }) => sum + output, 0),
    prompts: report.prompts,
    replayed: report.replayed_responses,
  }));

describe('Claude Code', () => {
  it('U7: numbers that are none count as 0 and are told of', () => {
    const figures = {
      input_tokens: -5,
      output_tokens: '7',
      cache_read_input_tokens: 1.5,
      cache_creation_input_tokens: 2 ** 53 + 2,
    };
    const { report } = readRecords('claude-code', [
      answer('a', figures),
      answer('b', { input_tokens: null, output_tokens: 12 }),
      answer('c', null),
    ]);
    expect(report.warnings).toEqual(['bad_numbers 4']);
    expect(report.models).toMatchObject([
      { turns: 2, input_tokens: 0, output_tokens: 12, cache_read_tokens: 0, cache_write_5m_tokens: 0 },
    ]);
  });

  it('U5: a response takes its largest figures, its first instant and its first model', () => {
    const { report, days } = readRecords('claude-code', [
      answer('a', usage(0, 0), { timestamp: '2026-11-10T23:59:59.000-01:00' }),
      answer('a', usage(3, 9), { timestamp: '2026-11-11T01:00:02.000Z' }),
      answer('a', usage(3, 159), { timestamp: 'yesterday' }),
    ]);
    expect(report).toMatchObject({
      first_at: '2026-11-11T00:59:59.000Z',
      last_at: '2026-11-11T01:00:02.000Z',
      warnings: ['bad_times 1'],
    });
    expect(report.responses).toMatchObject([
      { first_at: '2026-11-11T00:59:59.000Z', input_tokens: 3, output_tokens: 159 },
    ]);
    expect(days).toMatchObject([{ day: '2026-11-11', model: 'm', usage: { turns: 1, output_tokens: 159 } }]);
  });

  it('U7: prompts are what a human typed, each once', () => {
    const { report } = readRecords('claude-code', [
      prompt('go', { promptId: 'p' }),
      prompt([{ type: 'text', text: 'go' }], { promptId: 'p' }),
      prompt('on'),
      prompt('on'),
      prompt('x', { isMeta: true }),
      prompt('x', { isCompactSummary: true }),
      prompt('x', { isSidechain: true }),
      prompt([
        { type: 'text', text: 'x' },
        { type: 'tool_result', content: 'x' },
      ]),
    ]);
    expect(report).toMatchObject({ prompts: 2, models: [] });
  });

  it('U6: lines with no name at all are nobody’s copies', () => {
    const bytes = linesOf([
      { ...answer(null, usage(1, 2)), uuid: undefined },
      { ...answer(null, usage(1, 2)), uuid: undefined },
    ]);
    expect(
      sums('claude-code', [
        { id: 'a', bytes },
        { id: 'b', bytes },
      ]),
    ).toEqual([
      { id: 'a', turns: 2, output: 4, prompts: 0, replayed: 0 },
      { id: 'b', turns: 2, output: 4, prompts: 0, replayed: 0 },
    ]);
  });

  it('U6: a sub-agent’s file beside its session is a transcript of its own with a parent', () => {
    const bytes = linesOf([answer('a', usage(1, 2), { isSidechain: true, sessionId: 'main' })]);
    const [read] = readBytes('claude-code', [{ id: 'agent-1', bytes }]);
    expect(read?.report).toMatchObject({ transcript_id: 'main/agent-1', parent_transcript_id: 'main' });
  });

  it('U6: of two transcripts that began at once the smaller id owns; a third that began before owns it all', () => {
    const copy = linesOf([answer('a', usage(1, 2)), answer('b', usage(1, 2))]);
    const older = linesOf([answer('a', usage(1, 2), { timestamp: at(0) })]);
    const files = [
      { id: 'b', bytes: copy },
      { id: 'c', bytes: older },
      { id: 'a', bytes: copy },
    ];
    const expected = [
      { id: 'c', turns: 1, output: 2, prompts: 0, replayed: 0 },
      { id: 'a', turns: 1, output: 2, prompts: 0, replayed: 1 },
      { id: 'b', turns: 0, output: 0, prompts: 0, replayed: 2 },
    ];
    expect(sums('claude-code', files)).toEqual(expected);
    expect(sums('claude-code', files.toReversed())).toEqual(expected);
  });

  it('U2: of two copies of one transcript the longer one stands', () => {
    const short = linesOf([answer('a', usage(1, 2))]);
    const long = short + linesOf([answer('b', usage(1, 2))]);
    for (const files of [
      [short, long],
      [long, short],
    ]) {
      const read = sums(
        'claude-code',
        files.map((bytes) => ({ id: 'a', bytes })),
      );
      expect(read).toEqual([{ id: 'a', turns: 2, output: 4, prompts: 0, replayed: 0 }]);
    }
  });

  it('U6: a response has one hash wherever it is read', () => {
    const hashes = ['a', 'b'].map(
      (id) => readRecords('claude-code', [answer('msg_1', usage(1, 2))], id).report.responses?.[0]?.hash,
    );
    expect(hashes[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(hashes[1]).toBe(hashes[0]);
  });

  it.each(['__proto__', 'constructor', 'hasOwnProperty'])(
    'a response, a model and a type called %s are like any other',
    (name) => {
      const { report } = readRecords('claude-code', [
        { type: name },
        { ...answer(name, usage(1, 2)), message: { id: name, model: name, usage: usage(1, 2) } },
      ]);
      expect(report.models).toMatchObject([{ model: name, turns: 1 }]);
      const codex = readRecords('codex', [
        { type: 'session_meta', payload: { id: name, forked_from_id: name } },
        { type: 'event_msg', payload: { type: name, token_count: 'token_count' } },
        { type: 'token_usage_record', payload: { response_id: name, usage: usage(1, 2) } },
      ]);
      expect(codex.report).toMatchObject({ transcript_id: name, models: [{ turns: 1 }] });
    },
  );

  it('U7: a model’s name is read as UTF-8, and one that shows nothing is unknown', () => {
    const named = (id: string, model: unknown) => ({
      ...answer(id, usage(1, 1)),
      message: { id, model, usage: usage(1, 1) },
    });
    const { report } = readRecords('claude-code', [
      named('a', 'modèle-✓'),
      named('b', ' \u200b'),
      named('c', 'x'.repeat(900)),
    ]);
    expect(report.models.map(({ model }) => model)).toEqual(['modèle-✓', 'unknown', 'x'.repeat(500)]);
  });
});

describe('Codex', () => {
  const vector = ([input = 0, cached = 0, written = 0, output = 0]: number[]) => ({
    ...{ input_tokens: input, cached_input_tokens: cached, cache_write_input_tokens: written },
    ...{ output_tokens: output, reasoning_output_tokens: 1, total_tokens: input + output },
  });
  const meta = (id: string, more: object = {}) => ({
    timestamp: at(0),
    type: 'session_meta',
    payload: { id, timestamp: at(0), ...more },
  });
  const context = { timestamp: at(0), type: 'turn_context', payload: { model: 'g' } };
  const count = (total: number[] | null, last: number[] | null, second = 1) => ({
    timestamp: at(second),
    type: 'event_msg',
    payload: {
      type: 'token_count',
      info: total && { total_token_usage: vector(total), ...(last && { last_token_usage: vector(last) }) },
    },
  });
  const record = (id: string, figures: number[]) => ({
    timestamp: at(1),
    type: 'token_usage_record',
    payload: { response_id: id, usage: vector(figures) },
  });

  it('U7: cached and written tokens are taken out of the input; reasoning is inside the output', () => {
    const { report } = readRecords('codex', [
      meta('s'),
      context,
      count(null, null),
      count([100, 40, 30, 10], [100, 40, 30, 10]),
    ]);
    expect(report.models).toEqual([
      {
        model: 'g',
        turns: 1,
        input_tokens: 30,
        output_tokens: 10,
        cache_write_5m_tokens: 30,
        cache_write_1h_tokens: 0,
        cache_read_tokens: 40,
      },
    ]);
  });

  it('U7: parts that exceed the input leave 0, and are told of', () => {
    const { report } = readRecords('codex', [meta('s'), count([10, 40, 0, 1], [10, 40, 0, 1])]);
    expect(report).toMatchObject({
      warnings: ['cached_exceeds_input 1'],
      models: [{ model: 'unknown', input_tokens: 0, cache_read_tokens: 40 }],
    });
  });

  it('U5: an older total shown with another last call is no response', () => {
    const { report } = readRecords('codex', [
      meta('s'),
      count([100, 0, 0, 1], [100, 0, 0, 1]),
      count([200, 0, 0, 2], [100, 0, 0, 1]),
      count([100, 0, 0, 1], [50, 0, 0, 1]),
      count([300, 0, 0, 3], [100, 0, 0, 1]),
    ]);
    expect(report.models).toMatchObject([{ turns: 3, input_tokens: 300, output_tokens: 3 }]);
  });

  it('U5: a total that compaction rewrote lower counts on from there', () => {
    const compacted = { timestamp: at(2), type: 'compacted', payload: { message: '' } };
    const { report } = readRecords('codex', [
      ...[meta('s'), count([9_000, 0, 0, 100], [9_000, 0, 0, 100]), compacted],
      ...[
        count([3_000, 0, 0, 0], [0, 0, 0, 0]),
        count([3_500, 0, 0, 20], [500, 0, 0, 20]),
        count([3_500, 0, 0, 20], [500, 0, 0, 20]),
      ],
      count([4_100, 0, 0, 30], [600, 0, 0, 10]),
    ]);
    expect(report.models).toMatchObject([{ turns: 3, input_tokens: 10_100, output_tokens: 130 }]);
  });

  it('U5: a counter that starts again counts', () => {
    const { report } = readRecords('codex', [
      meta('s'),
      count([900, 0, 0, 9], [900, 0, 0, 9]),
      count([50, 0, 0, 5], [50, 0, 0, 5]),
      count([70, 0, 0, 7], [20, 0, 0, 2]),
    ]);
    expect(report.models).toMatchObject([{ turns: 3, input_tokens: 970, output_tokens: 16 }]);
  });

  it.each([
    ['first', [record('r', [9, 0, 0, 1]), count([9, 0, 0, 1], [9, 0, 0, 1])]],
    ['second', [count([9, 0, 0, 1], [9, 0, 0, 1]), record('r', [9, 0, 0, 1])]],
    [
      'twice',
      [
        record('r', [9, 0, 0, 1]),
        count([9, 0, 0, 1], [9, 0, 0, 1]),
        record('r', [9, 0, 0, 1]),
        count([9, 0, 0, 1], [9, 0, 0, 1], 5),
      ],
    ],
  ])('U5: a usage record that comes %s and its token_count are one response', (_order, lines) => {
    const next = [record('q', [9, 0, 0, 1]), count([18, 0, 0, 2], [9, 0, 0, 1])];
    const { report } = readRecords('codex', [meta('s'), ...lines, ...next]);
    expect(report.models).toMatchObject([{ turns: 2, input_tokens: 18, output_tokens: 2 }]);
  });

  it('U6: a sub-agent’s replay of its parent is the parent’s, and its prompts nobody’s', () => {
    const own = [
      meta('p'),
      context,
      { timestamp: at(0), type: 'event_msg', payload: { type: 'user_message' } },
      count([10, 0, 0, 1], [10, 0, 0, 1]),
    ];
    const spawn = { source: { subagent: { thread_spawn: { parent_thread_id: 'p' } } }, timestamp: at(9) };
    const child = [meta('c', spawn), ...own, count([15, 0, 0, 2], [5, 0, 0, 1], 9)];
    const files = [
      { id: 'x', bytes: linesOf(child) },
      { id: 'y', bytes: linesOf(own) },
    ];
    expect(sums('codex', files)).toEqual([
      { id: 'p', turns: 1, output: 1, prompts: 1, replayed: 0 },
      { id: 'c', turns: 1, output: 1, prompts: 0, replayed: 1 },
    ]);
    const [, sub] = readBytes('codex', files);
    expect(sub?.report.parent_transcript_id).toBe('p');
  });

  it('U6: a fork of a fork knows its family by the records it copied; strangers with equal totals stay apart', () => {
    const call = [context, count([10, 0, 0, 1], [10, 0, 0, 1])];
    const [first, second, third] = [
      meta('1'),
      meta('2', { forked_from_id: '1', timestamp: at(5) }),
      meta('3', { forked_from_id: '2', timestamp: at(9) }),
    ];
    const files = [
      { id: 'c', bytes: linesOf([third, second, first, ...call]) },
      { id: 'b', bytes: linesOf([second, first, ...call]) },
      { id: 'd', bytes: linesOf([meta('4', { timestamp: at(20) }), ...call]) },
    ];
    expect(sums('codex', files).map(({ id, turns }) => [id, turns])).toEqual([
      ['2', 1],
      ['3', 0],
      ['4', 1],
    ]);
    const hashes = files.map((file) => readBytes('codex', [file])[0]?.report.responses?.[0]?.hash);
    expect(hashes[0]).toBe(hashes[1]);
    expect(hashes[2]).not.toBe(hashes[1]);
  });
});

describe('Gemini CLI', () => {
  const message = (id: string, tokens: object) => ({ id, type: 'gemini', timestamp: at(2), model: 'g', tokens });
  it('U5: checkpoints repeat messages, and what was rewound was billed', () => {
    const { report } = readRecords('gemini-cli', [
      { sessionId: 'g1', startTime: at(0), kind: 'main' },
      { id: 'u1', type: 'user', timestamp: at(1) },
      message('m1', { input: 100, cached: 40, output: 5, thoughts: 2, tool: 3 }),
      {
        $set: {
          messages: [{ id: 'u1', type: 'user' }, message('m1', { input: 100, cached: 40, output: 7, thoughts: 2 })],
        },
      },
      { $rewindTo: 'u1' },
      message('m2', { input: 10, output: 1 }),
      { id: 'i1', type: 'info', content: 'x' },
    ]);
    expect(report).toMatchObject({ transcript_id: 'g1', prompts: 1 });
    expect(report.models).toMatchObject([{ turns: 2, input_tokens: 73, output_tokens: 10, cache_read_tokens: 40 }]);
  });

  it('U2: a document that is not whole has no complete byte', () => {
    const whole = JSON.stringify({ sessionId: 'g', messages: [message('m', { input: 1, output: 2 })] }, null, 1);
    const [torn] = readBytes('gemini-cli', [{ id: 'f', bytes: whole.slice(0, -4) }]);
    expect(torn?.report).toMatchObject({ version: { complete_bytes: 0 }, warnings: ['tail_incomplete 1'], models: [] });
    const [read] = readBytes('gemini-cli', [{ id: 'f', bytes: `\ufeff${whole.replaceAll('\n', '\r\n')}\n` }]);
    expect(read?.report.models).toMatchObject([{ input_tokens: 1, output_tokens: 2 }]);
  });
});

describe('opencode', () => {
  const tokens = { input: 1, output: 2, reasoning: 3, cache: { read: 4, write: 5 } };
  const message = (id: string, sessionID: string, created: number) => ({
    id,
    sessionID,
    role: 'assistant',
    modelID: 'm',
    time: { created, completed: created + 1 },
    tokens,
  });

  it('U5: a file for each message makes one transcript; its session names the parent', () => {
    const files = [
      { id: 'a', bytes: JSON.stringify(message('msg_1', 'ses_1', 5_000), null, 2) },
      { id: 'b', bytes: JSON.stringify(message('msg_2', 'ses_1', 9_000)) },
      { id: 'c', bytes: JSON.stringify({ id: 'ses_1', parentID: 'ses_0', title: 'x' }) },
      { id: 'd', bytes: JSON.stringify({ id: 'ses_9', parentID: 'ses_0', title: 'x' }) },
    ];
    const read = readBytes('opencode', files);
    expect(read).toHaveLength(1);
    expect(read[0]?.report).toMatchObject({
      transcript_id: 'ses_1',
      parent_transcript_id: 'ses_0',
      version: { records: 2 },
    });
    expect(read[0]?.report.models).toMatchObject([
      { turns: 2, output_tokens: 10, cache_write_5m_tokens: 10, cache_read_tokens: 8 },
    ]);
    expect(read[0]?.report.version?.complete_bytes).toBe((files[0]?.bytes.length ?? 0) + (files[1]?.bytes.length ?? 0));
  });

  it('U6: a message copied within its session counts once and is listed once', () => {
    const { report } = readRecords('opencode', [message('msg_1', 'ses_1', 5_000), message('msg_2', 'ses_1', 5_000)]);
    expect(report).toMatchObject({ replayed_responses: 1, models: [{ turns: 1 }] });
    expect(report.responses).toHaveLength(1);
  });

  it('U5: a row of the database has its message as JSON', () => {
    const { id, sessionID, ...data } = message('msg_1', 'ses_1', 5_000);
    const { report } = readRecords('opencode', [{ id, session_id: sessionID, data: JSON.stringify(data) }]);
    expect(report).toMatchObject({ transcript_id: 'ses_1', models: [{ turns: 1, output_tokens: 5 }] });
  });
});

describe('Copilot CLI', () => {
  const shutdown = (id: string, count: number, inputTokens: number) => ({
    type: 'session.shutdown',
    ...{ id, timestamp: at(3) },
    data: {
      modelMetrics: {
        m: {
          requests: { count, cost: 1 },
          usage: { inputTokens, outputTokens: 5, cacheReadTokens: 60, cacheWriteTokens: 10 },
        },
      },
    },
  });

  it('U5: the legs of a session add up, and each counts once', () => {
    const { report } = readRecords('copilot-cli', [
      { type: 'session.start', id: 'e0', timestamp: at(0), data: { sessionId: 's' } },
      { type: 'user.message', id: 'e1', timestamp: at(1), data: { content: 'go' } },
      shutdown('e2', 3, 100),
      { type: 'session.resume', id: 'e3', timestamp: at(2), data: {} },
      shutdown('e4', 2, 80),
      shutdown('e4', 2, 80),
    ]);
    expect(report).toMatchObject({ prompts: 1 });
    expect(report).not.toHaveProperty('responses');
    expect(report.models).toMatchObject([
      { turns: 5, input_tokens: 40, output_tokens: 10, cache_read_tokens: 120, cache_write_5m_tokens: 20 },
    ]);
  });
});
