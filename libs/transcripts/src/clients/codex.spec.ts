import { linesOf, readBytes, readRecords } from '../testing/read-bytes.js';
import { at, sums } from '../testing/transcript-sums.js';

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
