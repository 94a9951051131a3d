import { allOperations, catalogue, DomainError, type CallResult, type Caller } from '@perdure/contracts';
import { createTRPCClient, httpBatchLink, httpLink, TRPCClientError } from '@trpc/client';
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import { createRouter, type AppRouter, type TrpcContext } from './index.js';

const caller: Caller = {
  workspaceId: '01K5ZQ8W3M9X7B2C4D6E8F0G00',
  actor: { id: '01K5ZQ8W3M9X7B2C4D6E8F0G01', name: 'agent-1', kind: 'agent' },
  scopes: new Set(['sessions:write']),
  credentialId: '01K5ZQ8W3M9X7B2C4D6E8F0G02',
  expiresAt: null,
};

interface Seen {
  name: string;
  input: unknown;
  key: string | undefined;
  signal: AbortSignal | undefined;
}

/** A client whose server is the router itself, in process; `answer` stands for the dispatcher behind the port. */
function clientFor(answer: (seen: Seen) => CallResult | Promise<CallResult>, link: 'single' | 'batch' = 'single') {
  const calls: Seen[] = [];
  const replays: true[] = [];
  const statuses: number[] = [];
  const bodies: string[] = [];
  const context: TrpcContext = {
    caller,
    options: { requestId: 'request-1', idempotencyKey: 'from-header' },
    onReplayed: () => replays.push(true),
    run: async (contract, _caller, input, options) => {
      const seen = { name: contract.name, input, key: options.idempotencyKey, signal: options.signal };
      calls.push(seen);
      return answer(seen);
    },
  };
  const fetch = async (url: string | URL | Request, init?: object): Promise<Response> => {
    const request = new Request(url, init);
    const response = await fetchRequestHandler({
      endpoint: '/trpc',
      req: request,
      router: createRouter(),
      createContext: () => context,
    });
    statuses.push(response.status);
    bodies.push(await response.clone().text());
    return response;
  };
  const options = { url: 'http://perdure.test/trpc', fetch };
  const links = [link === 'single' ? httpLink(options) : httpBatchLink(options)];
  return { client: createTRPCClient<AppRouter>({ links }), calls, replays, statuses, bodies, fetch };
}

const ok = (output: Record<string, unknown> = {}, replayed = false): CallResult => ({ output, replayed });

describe('the router derived from the catalogue', () => {
  test('T1: every operation is a procedure at area.camelCase, of the kind its contract says', () => {
    // The flat map by path is what serves a request; its type is that of the nested router.
    const served = createRouter()._def.procedures as unknown as Record<string, { _def: { type: string } }>;
    const built = Object.entries(served).map(([path, procedure]) => [path, procedure._def.type]);
    const declared = Object.entries(catalogue).flatMap(([area, operations]) =>
      Object.entries(operations).map(([key, contract]) => [`${area}.${key}`, contract.kind]),
    );
    expect(built).toEqual(declared);
    expect(built).toHaveLength(allOperations.length);
  });

  test('T1: input goes to the dispatcher as it was sent, for it alone parses', async () => {
    const { client, calls } = clientFor(() => ok({ pinged: true }));
    // What a client without types may send.
    const wrong = { build_session_id: 'no ulid', surplus: 1 } as unknown as { build_session_id: string };
    await client.sessions.pingBuildSession.mutate({ ...wrong, idempotency_key: 'k1' });
    expect(calls[0]).toMatchObject({
      name: 'ping_build_session',
      input: { build_session_id: 'no ulid', surplus: 1, idempotency_key: 'k1' },
      key: 'from-header',
    });
    expect(calls[0]?.signal).toBeInstanceOf(AbortSignal);
  });

  test('T1: an operation without required arguments is called with none, and null is not taken for none', async () => {
    const { client, calls, fetch } = clientFor(() => ok());
    await client.access.whoAmI.query();
    await fetch('http://perdure.test/trpc/access.whoAmI?input=null');
    expect(calls.map(({ input }) => input)).toEqual([{}, null]);
  });

  test('T4: a stored answer is announced once per call, a fresh one is not', async () => {
    const fresh = clientFor(() => ok());
    await fresh.client.sessions.listBuildSessions.query({});
    expect(fresh.replays).toHaveLength(0);
    const stored = clientFor(() => ok({}, true));
    await stored.client.sessions.listBuildSessions.query({});
    expect(stored.replays).toHaveLength(1);
  });
});

describe('errors as a typed client sees them', () => {
  const refusal = async (call: () => Promise<unknown>) => {
    const thrown: unknown = await call().catch((error: unknown) => error);
    if (!(thrown instanceof TRPCClientError)) throw new Error('the call was not refused');
    return thrown as TRPCClientError<AppRouter>; // instanceof cannot say for which router
  };

  test.each([
    ['invalid_input', 400],
    ['unauthenticated', 401],
    ['forbidden_scope', 403],
    ['not_found', 404],
    ['version_conflict', 409],
    ['too_large', 413],
    ['unsupported', 415],
    ['state_too_large', 422],
    ['rate_limited', 429],
    ['internal', 500],
    ['unavailable', 503],
  ] as const)('T1: %s is answered with %i and the error body at data.perdure', async (code, status) => {
    const domainError = new DomainError(code, 'what is wrong', { field: 'x' }, 'what would be right');
    const { client, statuses } = clientFor(() => Promise.reject(domainError));
    const error = await refusal(() => client.access.whoAmI.query());
    expect(statuses).toEqual([status]);
    expect(error.message).toBe('what is wrong');
    expect(error.data?.perdure).toMatchObject({
      kind: domainError.kind,
      code,
      message: 'what is wrong',
      hint: 'what would be right',
      details: { field: 'x' },
    });
  });

  test('T1: an unforeseen fault shows the request id and nothing of its cause', async () => {
    const { client, bodies, statuses } = clientFor(() =>
      Promise.reject(new Error('password=hunter2 at /srv/app.js:1')),
    );
    const error = await refusal(() => client.access.whoAmI.query());
    expect(statuses).toEqual([500]);
    expect(error.data?.perdure).toMatchObject({ code: 'internal', details: { request_id: 'request-1' } });
    expect(bodies.join('')).not.toMatch(/hunter2|app\.js|stack/);
  });

  test.each([
    ['an unknown procedure', 'sessions.destroyEverything', 'GET', undefined, 404, 'not_found'],
    ['a mutation by GET', 'sessions.pingBuildSession', 'GET', undefined, 405, 'unsupported'],
    ['a body that is not JSON', 'sessions.pingBuildSession', 'POST', '{"build', 400, 'invalid_input'],
    ['a path that does not decode', 'sessions.%E0%A4%A', 'GET', undefined, 400, 'invalid_input'],
  ])('T1: %s is refused in our words', async (_what, path, method, body, status, code) => {
    const { fetch } = clientFor(() => ok());
    const init = { method, headers: { 'content-type': 'application/json' }, ...(body === undefined ? {} : { body }) };
    const response = await fetch(`http://perdure.test/trpc/${path}`, init);
    const text = await response.text();
    expect(response.status).toBe(status);
    expect(JSON.parse(text)).toMatchObject({ error: { data: { perdure: { code } } } });
    expect(text).not.toMatch(/destroyEverything"?,"?message|Unexpected|node_modules|stack/);
  });

  test('T1: a refusal in a batch leaves its neighbours alone', async () => {
    const { client, statuses } = clientFor(({ name }) => {
      if (name === 'get_build_session') throw new DomainError('not_found', 'no such session');
      return ok({ items: [] });
    }, 'batch');
    const [refused, served] = await Promise.allSettled([
      client.sessions.getBuildSession.query({ build_session_id: '01K5ZQ8W3M9X7B2C4D6E8F0G1H' }),
      client.sessions.listBuildSessions.query({}),
    ]);
    expect([refused.status, served.status]).toEqual(['rejected', 'fulfilled']);
    expect(statuses).toEqual([207]);
  });
});

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const holds = <_Claim extends true>() => undefined;

/** Never run: the type check (`npm run check`) fails when one of these lines compiles that should not, or the other way. */
export function typesOfTheRouter(client: ReturnType<typeof clientFor>['client']) {
  type Inputs = inferRouterInputs<AppRouter>;
  type Outputs = inferRouterOutputs<AppRouter>;
  holds<Equal<keyof Inputs, keyof typeof catalogue>>();
  holds<Equal<keyof Inputs['sessions'], keyof typeof catalogue.sessions>>();
  holds<Equal<Outputs['sessions']['pingBuildSession']['pinged'], boolean>>();
  holds<Equal<Inputs['sessions']['getBuildSession'], { build_session_id: string }>>();
  const session = { project: 'demo', computer: 'c', branch: 'main' };
  void client.sessions.startBuildSession.mutate({ ...session, source: 'compact', idempotency_key: 'k' });
  // @ts-expect-error a required argument is missing
  void client.sessions.startBuildSession.mutate({ project: 'demo' });
  // @ts-expect-error no such value of the enum
  void client.sessions.startBuildSession.mutate({ ...session, source: 'reboot' });
  // @ts-expect-error no such argument
  void client.sessions.startBuildSession.mutate({ ...session, workspace: 'w' });
  // @ts-expect-error a query takes no idempotency key
  void client.sessions.getBuildSession.query({ build_session_id: 'x', idempotency_key: 'k' });
  // @ts-expect-error this one needs its argument
  void client.sessions.getBuildSession.query();
  // @ts-expect-error a mutation is not queried
  void client.sessions.startBuildSession.query(session);
  // @ts-expect-error there is no such procedure
  void client.sessions.destroyBuildSession;
}
