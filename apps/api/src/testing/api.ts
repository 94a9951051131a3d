import {
  DomainError,
  SCOPES,
  type Caller,
  type CallOptions,
  type CallResult,
  type OperationContract,
} from '@perdure/contracts';
import { createLogger, healthRouter, RequestLimits } from '@perdure/service';
import { createApiApp } from '../app.js';

interface SeenCall {
  readonly operation: string;
  readonly input: unknown;
  readonly options: CallOptions;
}

const caller: Caller = {
  workspaceId: '01K5ZQ8W3M9X7B2C4D6E8F0G00',
  actor: { id: '01K5ZQ8W3M9X7B2C4D6E8F0G01', name: 'tool-1', kind: 'agent' },
  scopes: new Set(SCOPES),
  credentialId: '01K5ZQ8W3M9X7B2C4D6E8F0G02',
  expiresAt: null,
};

async function authenticate(token: string): Promise<Caller | null> {
  if (token === 'database-down') throw new DomainError('unavailable', 'The database does not answer.');
  if (token === 'broken') throw new Error('connect ECONNREFUSED');
  return token === 'good' ? caller : null;
}

/** Counters that never fill up. */
const UNLIMITED = new RequestLimits({
  counts: { add: async () => ({ total: 0, resetsInMs: 60_000 }) },
  onAway: () => undefined,
  perCredential: null,
  failuresPerAddress: null,
  requestsPerAddress: null,
});

/** The whole API; only the port to the operations is the test's. */
export function apiAnswering(
  respond: (call: SeenCall) => CallResult | Promise<CallResult>,
  limits: RequestLimits = UNLIMITED,
) {
  const seen: SeenCall[] = [];
  const lines: string[] = [];
  const app = createApiApp({
    authenticate,
    limits,
    run: async (contract: OperationContract, _caller, input, options) => {
      const call = { operation: contract.name, input, options };
      seen.push(call);
      return respond(call);
    },
    version: '1.2.3',
    authorization: null,
    publicUrl: null,
    trustedProxies: [],
    allowedOrigins: ['https://tools.example.com'],
    hostNames: ['localhost', '127.0.0.1', '[::1]'],
    health: healthRouter({ ready: [] }),
    logger: createLogger({ app: 'spec', level: 'info' }, { write: (line: string) => void lines.push(line) }),
  });
  return { app, seen, log: () => lines.join('') };
}
