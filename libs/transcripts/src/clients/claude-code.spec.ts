import { linesOf, readBytes, readRecords } from '../testing/read-bytes.js';
import { at, sums } from '../testing/transcript-sums.js';

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
