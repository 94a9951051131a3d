import { readBytes, readRecords } from '../testing/read-bytes.js';
import { at } from '../testing/transcript-sums.js';

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
