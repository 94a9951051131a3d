import { Agent, get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import express from 'express';
import request from 'supertest';
import { createLogger } from '../log/logger.js';
import { closeHttpServer } from './close-http-server.js';
import { listen, portOf } from './listen.js';
import { describeRequest, logFieldsOf, requestContext } from './request-context.js';
import { HEADERS_TIMEOUT_MS, KEEP_ALIVE_TIMEOUT_MS, REQUEST_TIMEOUT_MS } from './server-timeouts.js';

function loggingApp() {
  const lines: Record<string, unknown>[] = [];
  const logger = createLogger(
    { app: 'api', level: 'info' },
    { write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) }, // pino writes objects
  );
  const app = express();
  app.use(requestContext(logger));
  return { app, logger, lines };
}

describe('requestContext', () => {
  it('O4: logs one line per request, with id, operation, workspace, status and time, and nothing of the request', async () => {
    const { app, logger, lines } = loggingApp();
    app.get('/things/:id', (_request, response) => {
      describeRequest(response, { op: 'get_thing', workspace_id: 'w1', credential_id: 'k1' });
      logger.info(logFieldsOf(response), 'inside');
      response.json({});
    });
    await request(app).get('/things/canary?q=canary').set('x-request-id', 'abcdefgh').set('user-agent', 'canary');
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatchObject({ msg: 'inside', request_id: 'abcdefgh', workspace_id: 'w1' });
    expect(lines[1]).toMatchObject({
      msg: 'request',
      request_id: 'abcdefgh',
      op: 'get_thing',
      workspace_id: 'w1',
      credential_id: 'k1',
      method: 'GET',
      status: 200,
    });
    expect(typeof lines[1]?.['ms']).toBe('number');
    expect(JSON.stringify(lines)).not.toContain('canary');
  });

  it.each([['short'], ['has spaces in it'], ['x'.repeat(65)], ['évident-id']])(
    'O4: replaces the request id "%s" by one of its own',
    async (id) => {
      const { app, lines } = loggingApp();
      app.get('/', (_request, response) => void response.json({}));
      const response = await request(app).get('/').set('x-request-id', encodeURI(id));
      const given = response.get('x-request-id');
      expect(given).toMatch(/^[A-Za-z0-9_-]{8,64}$/);
      expect(given).not.toBe(id);
      expect(lines[0]).toMatchObject({ request_id: given });
    },
  );

  it('logs a request that the client gave up as aborted', async () => {
    const { app, lines } = loggingApp();
    let reached = () => {};
    const arrived = new Promise<void>((resolve) => {
      reached = resolve;
    });
    const ended = new Promise<void>((resolve) => {
      app.get('/', (_request, response) => {
        response.once('close', () => setImmediate(resolve));
        reached();
      });
    });
    const server = await listen(app, { host: '127.0.0.1', port: 0 });
    const abort = new AbortController();
    const call = fetch(`http://127.0.0.1:${portOf(server)}/`, { signal: abort.signal });
    await arrived;
    abort.abort();
    await expect(call).rejects.toThrow();
    await ended;
    expect(lines).toMatchObject([{ msg: 'request', aborted: true }]);
    await closeHttpServer(server, 0);
  });
});

describe('closeHttpServer', () => {
  /** A server whose answer the test holds back, and one kept-alive client. */
  async function heldServer() {
    const held: (() => void)[] = [];
    const server = await listen(
      (_request, response) => {
        response.write('begun ');
        held.push(() => response.end('finished'));
      },
      { host: '127.0.0.1', port: 0 },
    );
    const agent = new Agent({ keepAlive: true });
    const call = () =>
      new Promise<IncomingMessage>((resolve, reject) => {
        get({ port: portOf(server), host: '127.0.0.1', agent }, resolve).on('error', reject);
      });
    return { server, agent, call, finish: () => held.splice(0).forEach((end) => end()) };
  }

  const bodyOf = async (response: IncomingMessage) => {
    let text = '';
    for await (const chunk of response) text += String(chunk);
    return text;
  };

  it('O5: lets a request in flight finish, then closes its kept-alive connection', async () => {
    const { server, agent, call, finish } = await heldServer();
    const response = await call();
    const port = portOf(server);
    const closing = closeHttpServer(server, 30_000);
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow();
    finish();
    expect(await bodyOf(response)).toBe('begun finished');
    expect(await closing).toBe(true);
    agent.destroy();
  });

  it('O5: destroys what does not finish in time', async () => {
    const { server, agent, call } = await heldServer();
    const response = await call();
    expect(await closeHttpServer(server, 10)).toBe(false);
    await expect(bodyOf(response)).rejects.toThrow();
    agent.destroy();
  });
});

describe('what no handler sees', () => {
  const answerTo = async (text: string): Promise<string> => {
    const server = await listen((_request, response) => response.end('handled'), { host: '127.0.0.1', port: 0 });
    const socket = connect(portOf(server), '127.0.0.1');
    socket.end(text);
    let answer = '';
    for await (const chunk of socket) answer += String(chunk);
    await closeHttpServer(server, 1_000);
    return answer;
  };

  it.each([
    ['an address of 20 kB', `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 413, 'too_large'],
    ['no HTTP', 'HELO mail\r\n\r\n', 400, 'invalid_input'],
  ])('G6: %s is refused like everything else', async (_what, text, status, code) => {
    const [head = '', body = ''] = (await answerTo(text)).split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} .*content-type: application/json`, 's'));
    expect(JSON.parse(body)).toMatchObject({ error: { code, kind: code, hint: expect.any(String) } });
  });
});

describe('listen', () => {
  it('sets the product timeouts', async () => {
    const server = await listen((_request, response) => void response.end(), { host: '127.0.0.1', port: 0 });
    expect([server.headersTimeout, server.requestTimeout, server.keepAliveTimeout]).toEqual([
      HEADERS_TIMEOUT_MS,
      REQUEST_TIMEOUT_MS,
      KEEP_ALIVE_TIMEOUT_MS,
    ]);
    await closeHttpServer(server, 0);
  });

  it.each([
    ['headers', 'POST / HTTP/1.1\r\nHost: x\r\n'],
    ['a body', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n'],
  ])(
    'G6: a client that never finishes %s loses its connection, and others are served meanwhile',
    async (_what, begun) => {
      const app = express().post(
        '/',
        express.text({ type: () => true }),
        (_request, response) => void response.end('no'),
      );
      const server = await listen(
        app.get('/', (_request, response) => void response.end('yes')),
        { host: '127.0.0.1', port: 0 },
      );
      const socket = connect(portOf(server), '127.0.0.1');
      const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
      socket.on('error', () => undefined).resume();
      socket.write(begun);
      expect(await (await fetch(`http://127.0.0.1:${portOf(server)}/`)).text()).toBe('yes');
      await closed;
      await closeHttpServer(server, 0);
    },
    120_000,
  );

  it('says which variable to change when the address is not ours', async () => {
    await expect(listen(() => undefined, { host: '192.0.2.1', port: 0 })).rejects.toThrow('set PERDURE_HTTP_HOST');
  });
});
