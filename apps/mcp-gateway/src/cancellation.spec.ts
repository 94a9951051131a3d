import { request as httpRequest } from 'node:http';
import { startGateway, type SeenCall, type TestGateway } from './testing/gateway.js';
import { clientHeaders, legacyMessage, modernMessage, send } from './testing/mcp-request.js';

/** A gateway whose calls to `who_am_i` wait until they are aborted, and all others answer at once. */
async function waitingGateway() {
  const events: string[] = [];
  let started: (call: SeenCall) => void = () => undefined;
  const gateway = await startGateway({
    respond: async (call) => {
      if (call.operation !== 'who_am_i') return { output: { served: true }, replayed: false };
      const aborted = new Promise<void>((resolve) => {
        call.options.signal?.addEventListener('abort', () => resolve(), { once: true });
      });
      started(call);
      await aborted;
      events.push('aborted');
      throw new Error('rolled back');
    },
  });
  const nextStart = () => new Promise<SeenCall>((resolve) => (started = resolve));
  return { gateway, events, nextStart };
}

/** Sends a call and returns what cuts its connection. */
function sendAndKeep({ url }: TestGateway, { headers, body }: { headers: object; body: string }) {
  const request = httpRequest(`${url}/mcp`, { method: 'POST', headers: { ...clientHeaders(), ...headers } });
  request.once('error', () => undefined);
  request.end(body);
  return () => request.destroy();
}

const eras = [
  ['2026-07-28', modernMessage('tools/call', { name: 'who_am_i', arguments: {} })],
  ['2025-11-25', { headers: {}, body: legacyMessage('tools/call', { name: 'who_am_i' }) }],
] as const;

test.each(eras)(
  'abort-one-of-two, G6: %s: a client that goes away aborts its call, and no other',
  async (_era, message) => {
    const { gateway, events, nextStart } = await waitingGateway();
    const first = nextStart();
    const cut = sendAndKeep(gateway, message);
    const { options } = await first;
    expect(options.signal?.aborted).toBe(false);
    const second = nextStart();
    const cutSecond = sendAndKeep(gateway, message);
    const other = await second;

    const aborted = new Promise((resolve) => options.signal?.addEventListener('abort', resolve));
    cut();
    await aborted;
    expect(other.options.signal?.aborted).toBe(false);
    const served = await send(gateway, {
      headers: clientHeaders(),
      body: legacyMessage('tools/call', { name: 'list_projects' }),
    });
    expect(served.json).toMatchObject({ result: { structuredContent: { served: true } } });

    const otherAborted = new Promise((resolve) => other.options.signal?.addEventListener('abort', resolve));
    cutSecond();
    await otherAborted;
    expect(events).toEqual(['aborted', 'aborted']);
    await gateway.close();
  },
);

test('G6: answers in parallel over one id go each to its own caller', async () => {
  const gateway = await startGateway({
    respond: async ({ actor, operation }) => {
      await new Promise((resolve) => setImmediate(resolve));
      return { output: { actor, operation }, replayed: false };
    },
  });
  const calls = Array.from({ length: 200 }, (_, index) => (index % 2 === 0 ? 'ada' : 'bob'));
  const answers = await Promise.all(
    calls.map((actor, index) => {
      const { headers, body } = modernMessage('tools/call', { name: 'who_am_i', arguments: {} });
      const sent =
        index % 3 === 0 ? { headers: {}, body: legacyMessage('tools/call', { name: 'who_am_i' }) } : { headers, body };
      return send(gateway, { headers: { ...clientHeaders(actor), ...sent.headers }, body: sent.body });
    }),
  );
  const actors = answers.map(({ json }) => JSON.stringify(json).match(/"actor":"(\w+)"/)?.[1]);
  expect(actors).toEqual(calls);
  await gateway.close();
});
