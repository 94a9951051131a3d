import { allOperations, DomainError, ERROR_CODES, type ErrorCode } from '@perdure/contracts';
import { callTool } from './call-tool.js';
import { callAnswering, output } from './testing/fake-port.js';

const codes = Object.keys(ERROR_CODES) as ErrorCode[]; // the keys of a const object are its codes

const errorIn = (result: Awaited<ReturnType<typeof callTool>>) => {
  const [block] = result.content;
  if (block?.type !== 'text') throw new Error('an answer is one text block');
  return { text: block.text, meta: result._meta?.['dev.perdure/error'] };
};

describe('an answer', () => {
  test('G2: stands as text and as structured content, the same JSON', async () => {
    const { call, seen } = callAnswering(() => output({ pinged: true }));
    const result = await callTool('ping_build_session', { build_session_id: 'x' }, call);
    expect(result).toEqual({
      content: [{ type: 'text', text: '{"pinged":true}' }],
      structuredContent: { pinged: true },
    });
    expect(seen).toMatchObject([{ operation: 'ping_build_session', input: { build_session_id: 'x' } }]);
  });

  test('T4: a stored answer says that it is one', async () => {
    const { call } = callAnswering(() => output({ pinged: true }, true));
    const result = await callTool('ping_build_session', {}, call);
    expect(result._meta).toEqual({ 'dev.perdure/replayed': true });
  });

  test.each(allOperations.map(({ name }) => name))('G3: %s can be called by name, listed or not', async (name) => {
    const { call, seen } = callAnswering(() => output(), []);
    await callTool(name, undefined, call);
    expect(seen.map(({ operation, input }) => [operation, input])).toEqual([[name, {}]]);
  });
});

describe('a refusal', () => {
  test.each(codes)('G2: %s is a result the model can read, without structured content', async (code) => {
    const { call, reported } = callAnswering(() =>
      Promise.reject(new DomainError(code, 'what is wrong', { field: 'x' }, 'what would be right')),
    );
    const result = await callTool('get_build_session', {}, call);
    const { text, meta } = errorIn(result);
    const internal = code === 'internal' ? { request_id: 'request-1' } : {};
    expect(JSON.parse(text)).toEqual({
      error: {
        kind: ERROR_CODES[code].kind,
        code,
        message: 'what is wrong',
        hint: 'what would be right',
        details: { field: 'x', ...internal },
      },
    });
    expect(meta).toEqual(JSON.parse(text).error);
    expect(result.isError).toBe(true);
    expect(result).not.toHaveProperty('structuredContent');
    expect(reported).toEqual([]);
  });

  test.each([
    ['an error', new Error('password=hunter2 at /srv/app.js:1')],
    ['a string', 'hunter2'],
    ['nothing', undefined],
  ])('G2: %s thrown is shown as internal, and the cause goes to the log alone', async (_what, thrown) => {
    const { call, reported } = callAnswering(() => Promise.reject(thrown));
    const result = await callTool('who_am_i', {}, call);
    expect(JSON.parse(errorIn(result).text)).toMatchObject({
      error: { code: 'internal', details: { request_id: 'request-1' } },
    });
    expect(JSON.stringify(result)).not.toMatch(/hunter2|app\.js/);
    expect(reported).toEqual([{ thrown, tool: 'who_am_i' }]);
  });

  test('G2: an answer that cannot be written as JSON is an internal fault, not a broken connection', async () => {
    const { call, reported } = callAnswering(() => output({ big: 1n }));
    const result = await callTool('who_am_i', {}, call);
    expect(result.isError).toBe(true);
    expect(reported).toHaveLength(1);
  });

  test('G2: a name that is no tool is a protocol error -32602, as the specification asks', async () => {
    const { call, seen } = callAnswering(() => output());
    await expect(callTool('no_such_tool', {}, call)).rejects.toMatchObject({
      code: -32602,
      message: 'Unknown tool: no_such_tool',
    });
    await expect(callTool('pasted: ghp_secret', {}, call)).rejects.toMatchObject({ message: 'Unknown tool' });
    await expect(callTool('constructor', {}, call)).rejects.toMatchObject({ code: -32602 });
    expect(seen).toEqual([]);
  });
});

describe('run_operation', () => {
  test('G3: goes the way of a direct call, with the operation own arguments', async () => {
    const { call, seen } = callAnswering(() => output({ pinged: true }, true));
    const input = { build_session_id: 'x', idempotency_key: 'k' };
    const result = await callTool('run_operation', { name: 'ping_build_session', arguments: input }, call);
    expect(result).toEqual(await callTool('ping_build_session', input, call));
    expect(seen[0]).toEqual(seen[1]);
    expect(seen[0]).toMatchObject({ operation: 'ping_build_session', input });
  });

  test('G3: an operation that takes no arguments needs none', async () => {
    const { call, seen } = callAnswering(() => output());
    await callTool('run_operation', { name: 'who_am_i' }, call);
    expect(seen[0]?.input).toEqual({});
  });

  test.each([
    ['ping_session', 'ping_build_session'],
    ['run_operation', null],
    ['find_operations', null],
  ])('G3: %s is not an operation', async (name, similar) => {
    const { call, seen } = callAnswering(() => output());
    const result = await callTool('run_operation', { name, arguments: {} }, call);
    const { error } = JSON.parse(errorIn(result).text);
    expect(error).toMatchObject({ kind: 'not_found', code: 'not_found' });
    if (similar !== null) expect(error.details.similar).toContain(similar);
    expect(seen).toEqual([]);
  });

  test.each([
    [{}, 'name'],
    [{ name: 'who_am_i', arguments: [] }, 'arguments'],
    [{ name: 'who_am_i', workspace: 'w' }, 'workspace'],
    [{ name: 'who_am_i', idempotency_key: 'k' }, 'idempotency_key'],
  ])('G3: %j is refused and names the argument', async (input, field) => {
    const { call, seen } = callAnswering(() => output());
    const result = await callTool('run_operation', input, call);
    const { error } = JSON.parse(errorIn(result).text);
    expect(error).toMatchObject({ code: 'invalid_input', details: { fields: [{ path: field }] } });
    expect(error.message).toContain(field);
    expect(seen).toEqual([]);
  });
});
