import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  createTestInstallation,
  createTestQueue,
  startApp,
  type TestApp,
  type TestInstallation,
  type TestQueue,
  type TestWorkspace,
} from '@perdure/testkit';
import {
  connectionFromEnvironment,
  createPerdureClient,
  idempotent,
  PerdureError,
  type PerdureClient,
  type PerdureInputs,
  type PerdureOutputs,
} from './index.js';
import { bundleExample } from './testing/example-program.js';

let installation: TestInstallation;
let queue: TestQueue;
let workspace: TestWorkspace;
let api: TestApp;
let token: string;
let perdure: PerdureClient;

beforeAll(async () => {
  installation = await createTestInstallation();
  queue = await createTestQueue();
  workspace = await installation.workspace();
  ({ token } = await workspace.actor('tool'));
  api = await startApp('api', {
    PERDURE_DATABASE_URL: installation.database.appUrl,
    PERDURE_QUEUE_URL: queue.url,
    PERDURE_ENV: 'test',
  });
  perdure = createPerdureClient({ url: `${api.url}/`, token });
  await perdure.projects.createProject.mutate({ name: 'demo', slug: 'demo' });
});

afterAll(async () => {
  await api.stop();
  await installation.close();
  await queue.drop();
});

/** A plain object of it: matchers look at nothing but the message of an error. */
const refusalOf = async (call: Promise<unknown>) => {
  const { name, code, kind, hint, details, status, message } = await errorOf(call);
  return { name, code, kind, hint, details, status, message };
};

const errorOf = async (call: Promise<unknown>): Promise<PerdureError> => {
  const outcome: unknown = await call.catch((error: unknown) => error);
  if (outcome instanceof PerdureError) return outcome;
  throw new Error(`no PerdureError: ${String(outcome)}`);
};

const decision = (title: string): PerdureInputs['decisions']['appendDecisionLog'] => ({
  project: 'demo',
  title,
  rationale_markdown: 'Because.',
  decided_on: '2026-11-30',
  changes_public_contract: false,
});

describe('calls', () => {
  it('T1: queries and mutations answer in their types', async () => {
    const started: PerdureOutputs['sessions']['startBuildSession'] = await perdure.sessions.startBuildSession.mutate({
      project: 'demo',
      computer: 'desk',
      branch: 'main',
    });
    const found = await perdure.sessions.getBuildSession.query({ build_session_id: started.build_session.id });
    expect(found.build_session.branch).toBe('main');
    expect((await perdure.access.whoAmI.query()).actor.name).toBe('tool');
  });

  it('T1: a query may be longer than an address', async () => {
    const code = 'const retry = 3;\n'.repeat(10_000);
    expect(await perdure.rules.queryApplicableRules.query({ project: 'demo', code })).toMatchObject({ rules: [] });
  });

  it('T4: the same key is the same thing done once, also sent at the same time; another thing under it is refused', async () => {
    const send = (title: string) =>
      perdure.decisions.appendDecisionLog.mutate(decision(title), idempotent('deploy/2026-11-30/ключ 🚀'));
    const answers = await Promise.all(Array.from({ length: 5 }, () => send('Deploy')));
    expect(new Set(answers.map(({ decision: { id } }) => id)).size).toBe(1);
    expect(await refusalOf(send('Something else'))).toMatchObject({ code: 'idempotency_mismatch', status: 409 });
    const { items } = await perdure.decisions.listDecisionLog.query({ project: 'demo' });
    expect(items.filter(({ title }) => title === 'Deploy')).toHaveLength(1);
  });

  it('T4: a key on a query changes nothing', async () => {
    expect(await perdure.access.whoAmI.query(undefined, idempotent('k'))).toHaveProperty('actor');
  });
});

describe('errors', () => {
  it('T1: a refusal has code, kind, hint, details and status as the server gave them', async () => {
    const missing = await refusalOf(
      perdure.sessions.getBuildSession.query({ build_session_id: '01K5ZQ8W3M9X7B2C4D6E8F0G1H' }),
    );
    expect(missing).toMatchObject({ name: 'PerdureError', code: 'not_found', kind: 'not_found', status: 404 });
    expect(missing.hint).not.toBe('');
    const invalid = await refusalOf(
      perdure.decisions.appendDecisionLog.mutate({ ...decision(''), decided_on: 'today' }),
    );
    expect(invalid).toMatchObject({ code: 'invalid_input', status: 400 });
    expect(invalid.details['fields']).toMatchObject([{ path: 'title' }, { path: 'decided_on' }]);
  });

  it('T1: a scope that the credential lacks, and a credential that is none', async () => {
    const forbidden = await refusalOf(perdure.audit.verifyAuditChain.query({}));
    expect(forbidden).toMatchObject({ code: 'forbidden_scope', kind: 'forbidden', status: 403 });
    const stranger = createPerdureClient({ url: api.url, token: 'prd_live_nobody' });
    expect(await refusalOf(stranger.access.whoAmI.query())).toMatchObject({ code: 'unauthenticated', status: 401 });
  });

  describe('when the answer is not of Perdure', () => {
    const servers: Server[] = [];
    const serverThat = async (answer: RequestListener): Promise<string> => {
      const server = createServer(answer).listen(0, '127.0.0.1');
      servers.push(server);
      await once(server, 'listening');
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // a listening TCP server has one
    };
    const ask = (url: string, timeoutMs?: number) =>
      errorOf(
        createPerdureClient({ url, token, ...(timeoutMs === undefined ? {} : { timeoutMs }) }).access.whoAmI.query(),
      );
    afterEach(() => {
      for (const server of servers.splice(0)) {
        server.closeAllConnections();
        server.close();
      }
    });

    it('T1: nobody listens', async () => {
      const url = await serverThat(() => undefined);
      const [server] = servers.splice(0);
      server?.close();
      const { code, kind, status, message, hint } = await ask(url);
      expect([code, kind, status]).toEqual(['unreachable', 'unreachable', null]);
      expect(message).toMatch(`${url} gave no answer of Perdure: connect ECONNREFUSED`);
      expect(hint).toMatch('same idempotency key');
    });

    it.each([
      ['a page of a proxy', 502, '<html>upstream 10.0.0.7 is down</html>'],
      ['another service', 200, '{"status": "secret-of-another"}'],
      ['nothing at all', 204, ''],
      ['an error of another tRPC service', 500, '{"error":{"message":"secret-of-another","code":-32603,"data":{}}}'],
    ])('T1: %s', async (_what, status, body) => {
      const url = await serverThat((_request, response) => response.writeHead(status).end(body));
      const error = await ask(url);
      expect([error.code, error.status]).toEqual(['unreachable', status]);
      expect(error.message).toBe(`${url} gave no answer of Perdure: HTTP status ${status}`);
    });

    it.each<[string, RequestListener]>([
      ['accepts and never answers', () => undefined],
      ['begins an answer and never ends it', (_request, response) => response.writeHead(200).write('{')],
    ])('T1: a server that %s', async (_what, answer) => {
      const url = await serverThat(answer);
      const { code, status, message } = await ask(url, 50);
      expect([code, status]).toEqual(['unreachable', null]);
      expect(message).toMatch(/it took too long$/);
    });

    it('T1: the caller gives up', async () => {
      const url = await serverThat(() => undefined);
      const controller = new AbortController();
      const call = createPerdureClient({ url, token }).access.whoAmI.query(undefined, { signal: controller.signal });
      controller.abort();
      const { code, kind } = await errorOf(call);
      expect([code, kind]).toEqual(['cancelled', 'cancelled']);
    });

    it('T1: a redirect is not followed, and the token goes nowhere else', async () => {
      const seen: unknown[] = [];
      const elsewhere = await serverThat((request, response) => {
        seen.push(request.headers);
        response.end('{}');
      });
      const url = await serverThat((_request, response) => response.writeHead(308, { location: elsewhere }).end());
      const { code, message } = await ask(url);
      expect(code).toBe('unreachable');
      expect(message).toMatch('redirect');
      expect(seen).toEqual([]);
    });
  });
});

describe('the connection', () => {
  it('DESIGN 9: comes from PERDURE_URL and PERDURE_TOKEN', () => {
    const environment = { PERDURE_URL: 'https://perdure.example/base/', PERDURE_TOKEN: 'prd_live_x', PATH: '/bin' };
    expect(connectionFromEnvironment(environment)).toEqual({
      url: 'https://perdure.example/base',
      token: 'prd_live_x',
    });
  });

  it.each([
    [{}, 'PERDURE_URL and PERDURE_TOKEN must be set'],
    [{ PERDURE_URL: 'http://127.0.0.1' }, 'PERDURE_TOKEN must be set'],
    [{ PERDURE_URL: 'perdure.example', PERDURE_TOKEN: 't' }, 'PERDURE_URL is no http'],
    [{ PERDURE_URL: 'file:///etc', PERDURE_TOKEN: 't' }, 'PERDURE_URL is no http'],
    [{ PERDURE_URL: 'http://a:hunter2@b', PERDURE_TOKEN: 't' }, 'PERDURE_URL must hold no user'],
    [{ PERDURE_URL: 'http://b/?token=hunter2', PERDURE_TOKEN: 't' }, 'PERDURE_URL must end with its path'],
    [{ PERDURE_URL: 'http://b', PERDURE_TOKEN: 'hunter2\nx: y' }, 'PERDURE_TOKEN holds something'],
  ])('DESIGN 9: %j is refused by the name of the variable, without its value', (environment, message) => {
    const refused = () => connectionFromEnvironment(environment);
    expect(refused).toThrow(message);
    expect(refused).not.toThrow('hunter2');
  });

  it('T1: a client is not made with what cannot be one', () => {
    expect(() => createPerdureClient({ url: 'nowhere', token })).toThrow('url is no http');
    expect(() => createPerdureClient({ url: api.url, token: '' })).toThrow('token holds something');
  });
});

describe('docs/examples/internal-tool.ts', () => {
  it('T1: runs against a server, and run again is the same entry', async () => {
    const example = await bundleExample();
    const env = { PERDURE_URL: api.url, PERDURE_TOKEN: token };
    const first = await example.run(['demo', '2026-11-29'], env);
    expect(first).toMatchObject({ status: 0, stderr: '' });
    expect(first.stdout).toMatch(
      /^[0-9A-Z]{26}: “Deploy payments on 2026-11-29”, one of 1 about src\/payments\/client\.ts\n$/,
    );
    expect(await example.run(['demo', '2026-11-29'], env)).toEqual(first);
    const refused = await example.run(['nowhere'], env);
    expect(refused).toMatchObject({ status: 1, stdout: '', stderr: expect.stringMatching(/^not_found: .+\n.+\n$/) });
    const { status } = await example.run(['demo'], { ...env, PERDURE_URL: 'http://127.0.0.1:9' });
    expect(status).toBe(2);
    example.close();
  });
});
