import { request, type IncomingHttpHeaders } from 'node:http';
import { closeHttpServer, listen, portOf } from '@perdure/service';
import { apiAnswering } from './testing/api.js';

const TOOLS = 'https://tools.example.com';
const api = apiAnswering(() => ({ output: { items: [], next_cursor: null }, replayed: false }));
let server: Awaited<ReturnType<typeof listen>>;

beforeAll(async () => {
  server = await listen(api.app, { host: '127.0.0.1', port: 0 });
});
afterAll(() => closeHttpServer(server, 1_000));

/** By hand: `fetch` writes Host and Origin itself. */
function ask(path: string, headers: Record<string, string>, method = 'GET') {
  return new Promise<{ status: number; headers: IncomingHttpHeaders; text: string }>((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port: portOf(server), path, method, headers }, (answer) => {
      let text = '';
      answer.on('data', (chunk: Buffer) => (text += String(chunk)));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
    });
    asked.on('error', reject);
    asked.end();
  });
}

const DOORS = ['/v1/projects', '/trpc/projects.listProjects?input=%7B%7D'];
const authorization = 'Bearer good';

describe.each(DOORS)('G6: %s', (path) => {
  it('answers a page of a configured origin, and says what it may read', async () => {
    const { status, headers } = await ask(path, { authorization, origin: TOOLS });
    expect(status).toBe(200);
    expect(headers['access-control-allow-origin']).toBe(TOOLS);
    expect(headers['access-control-allow-credentials']).toBeUndefined();
    expect(headers['access-control-expose-headers']).toContain('Idempotent-Replayed');
    expect(headers.vary).toContain('Origin');
  });

  it.each(['http://evil.example', 'null', `${TOOLS}.evil.example`, 'http://tools.example.com'])(
    'refuses a page of %s before its credential is looked at',
    async (origin) => {
      const { status, headers, text } = await ask(path, { authorization: 'Bearer bad', origin });
      expect(status).toBe(403);
      expect(headers['access-control-allow-origin']).toBeUndefined();
      expect(text).toContain('forbidden');
    },
  );

  it('answers a preflight without a credential, for configured origins alone', async () => {
    const preflight = { 'access-control-request-method': 'POST' };
    const allowed = await ask(path, { ...preflight, origin: TOOLS }, 'OPTIONS');
    expect([allowed.status, allowed.headers['access-control-allow-methods']]).toEqual([
      204,
      expect.stringContaining('PUT'),
    ]);
    expect(allowed.headers['access-control-allow-headers']).toContain('Idempotency-Key');
    expect((await ask(path, { ...preflight, origin: 'http://evil.example' }, 'OPTIONS')).status).toBe(403);
  });

  it('refuses a page that rebound its name to this computer', async () => {
    expect((await ask(path, { authorization, host: 'evil.example' })).status).toBe(403);
    expect((await ask(path, { authorization, host: 'localhost:1' })).status).toBe(200);
  });

  it('answers a program, which sends no origin', async () => {
    expect((await ask(path, { authorization })).status).toBe(200);
  });
});
