import type { Server } from 'node:http';
import { DomainError, SCOPES, type Caller, type CallOptions, type CallResult, type Scope } from '@perdure/contracts';
import { closeHttpServer, createLogger, healthRouter, listen, portOf, RequestLimits } from '@perdure/service';
import { createGatewayApp } from '../app.js';
import { createFixtureEndpoint } from '../conformance/fixture-endpoint.js';
import { createMcpEndpoint } from '../mcp-endpoint.js';

export interface SeenCall {
  readonly operation: string;
  readonly actor: string;
  readonly input: unknown;
  readonly options: CallOptions;
}

export interface TestGateway {
  readonly url: string;
  readonly seen: SeenCall[];
  /** Every line logged so far, as text. */
  readonly log: () => string;
  readonly close: () => Promise<void>;
}

interface GatewaySetup {
  readonly limits?: RequestLimits;
  readonly respond?: (call: SeenCall) => Promise<CallResult>;
  readonly allowedOrigins?: readonly string[];
  readonly hostNames?: readonly string[] | null;
  /** With the fixtures of the conformance suite: their lists may change, so there is something to listen for. */
  readonly fixtures?: boolean;
}

/** Tokens are `token-of-<actor>`; anything else is unknown, `database-down` a failing look-up. */
export const tokenOf = (actor: string) => `token-of-${actor}`;

const callerOf = (actor: string, scopes: readonly Scope[] = SCOPES): Caller => ({
  workspaceId: '01K5ZQ8W3M9X7B2C4D6E8F0G00',
  actor: { id: '01K5ZQ8W3M9X7B2C4D6E8F0G01', name: actor, kind: 'agent' },
  scopes: new Set(scopes),
  credentialId: '01K5ZQ8W3M9X7B2C4D6E8F0G02',
  expiresAt: null,
});

async function authenticate(token: string): Promise<Caller | null> {
  if (token === 'database-down') throw new DomainError('unavailable', 'The database does not answer.');
  if (token === 'broken') throw new Error('connect ECONNREFUSED postgres://app:hunter2@db/perdure');
  return token.startsWith('token-of-') ? callerOf(token.slice('token-of-'.length)) : null;
}

/** Counters that never fill up. */
const UNLIMITED = new RequestLimits({
  counts: { add: async () => ({ total: 0, resetsInMs: 60_000 }) },
  onAway: () => undefined,
  perCredential: null,
  failuresPerAddress: null,
  requestsPerAddress: null,
});

/** The whole gateway on a port of its own; only the port to the operations is the test's. */
export async function startGateway(setup: GatewaySetup = {}): Promise<TestGateway> {
  const seen: SeenCall[] = [];
  const lines: string[] = [];
  const logger = createLogger({ app: 'spec', level: 'info' }, { write: (line: string) => void lines.push(line) });
  const onError = () => undefined;
  const endpoint = setup.fixtures === true ? createFixtureEndpoint(onError) : createMcpEndpoint({ onError });
  const app = createGatewayApp({
    authenticate,
    limits: setup.limits ?? UNLIMITED,
    run: async (contract, caller, input, options) => {
      const call = { operation: contract.name, actor: caller.actor.name, input, options };
      seen.push(call);
      return setup.respond?.(call) ?? { output: { actor: caller.actor.name }, replayed: false };
    },
    endpoint,
    logger,
    authorization: null,
    publicUrl: null,
    trustedProxies: [],
    health: healthRouter({ ready: [] }),
    allowedOrigins: setup.allowedOrigins ?? [],
    hostNames: setup.hostNames === undefined ? ['localhost', '127.0.0.1', '[::1]'] : setup.hostNames,
  });
  const server: Server = await listen(app, { host: '127.0.0.1', port: 0 });
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    seen,
    log: () => lines.join(''),
    close: async () => {
      await closeHttpServer(server, 1_000);
      await endpoint.close();
    },
  };
}
