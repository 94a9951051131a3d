import { once } from 'node:events';
import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { startGateway, type TestGateway } from './testing/gateway.js';
import { clientHeaders, legacyMessage, modernMessage, send } from './testing/mcp-request.js';

const LISTEN = modernMessage('subscriptions/listen', { notifications: { toolsListChanged: true } });

/** Opens a stream and waits for the first thing that is said in it. */
async function listening(
  gateway: TestGateway,
): Promise<{ request: ClientRequest; answer: IncomingMessage; first: string }> {
  const headers = { ...clientHeaders(), ...LISTEN.headers };
  const request = httpRequest(`${gateway.url}/mcp`, { method: 'POST', headers });
  request.end(LISTEN.body);
  const [answer] = (await once(request, 'response')) as [IncomingMessage]; // as `response` is emitted
  answer.on('error', () => undefined); // cut by the test
  answer.setEncoding('utf8');
  const [first] = (await once(answer, 'data')) as [string]; // an encoding is set
  return { request, answer, first };
}

/** The heap after everything that nobody holds is gone. */
function heapBytes(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void; // what the flag exposes
  collect();
  return process.memoryUsage().heapUsed;
}

test('G1: nothing of ours changes while it runs, so who listens is told at once that there is nothing more', async () => {
  const gateway = await startGateway();
  const { text } = await send(gateway, { headers: { ...clientHeaders(), ...LISTEN.headers }, body: LISTEN.body });
  expect(text).toMatch(/notifications\/subscriptions\/acknowledged.*"resultType":"complete"/s);
  await gateway.close();
});

test('cases/mcp stream-keepalive: a stream begins at once, is not buffered by proxies, and says that it lives', async () => {
  const gateway = await startGateway({ fixtures: true });
  const { request, answer, first } = await listening(gateway);
  expect(answer.headers).toMatchObject({ 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' });
  expect(first).toContain('notifications/subscriptions/acknowledged');
  // Nothing happens, so what comes next is a comment (HTML Standard, Server-sent events, 9.2.6).
  const [next] = (await once(answer, 'data')) as [string]; // an encoding is set
  expect(next).toMatch(/^:/);
  request.destroy();
  await gateway.close();
});

test('cases/mcp no-leak-without-delete: streams that were cut are closed and make room for others', async () => {
  const gateway = await startGateway({ fixtures: true });
  // More in all than may be open at once.
  for (let batch = 0; batch < 30; batch += 1) {
    const streams = await Promise.all(Array.from({ length: 40 }, () => listening(gateway)));
    for (const { first } of streams) expect(first).toContain('acknowledged');
    await Promise.all(
      streams.map(async ({ request }) => {
        request.destroy();
        await once(request, 'close');
      }),
    );
  }
  await gateway.close();
});

// A part of the handshakes of the case against the same part of its bound: the whole takes half a minute.
test('cases/mcp no-leak-without-delete: 1,500 handshakes that nobody ends leave nothing behind', async () => {
  const gateway = await startGateway();
  const clientInfo = { name: 'spec', version: '1' };
  const body = legacyMessage('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  const handshakes = async (count: number) => {
    for (let done = 0; done < count; done += 20) {
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => send(gateway, { headers: clientHeaders(), body })),
      );
      expect(answers.every(({ status }) => status === 200)).toBe(true);
    }
  };
  await handshakes(500);
  const before = heapBytes();
  await handshakes(1_500);
  expect(heapBytes() - before).toBeLessThan(6 * 1_024 * 1_024);
  await gateway.close();
});
