import { DomainError, SCOPES, type Caller, type CallOptions, type CallResult } from '@perdure/contracts';
import express, { type ErrorRequestHandler } from 'express';
import { restRoutes } from '../routes/rest-routes.js';

interface SeenCall {
  readonly operation: string;
  readonly input: unknown;
  readonly options: CallOptions;
}

const caller: Caller = {
  workspaceId: '01K5ZQ8W3M9X7B2C4D6E8F0G00',
  actor: { id: '01K5ZQ8W3M9X7B2C4D6E8F0G01', name: 'job-1', kind: 'agent' },
  scopes: new Set(SCOPES),
  credentialId: '01K5ZQ8W3M9X7B2C4D6E8F0G02',
  expiresAt: null,
};

/** As an app answers what reaches the end of its chain. */
const answerError: ErrorRequestHandler = (error: unknown, _request, response, _next) => {
  if (error instanceof DomainError) response.status(error.status).json({ error: error.toBody() });
  else response.status(500).json({ unexpected: String(error) });
};

/** The routes as an app mounts them; only the port to the operations is the test's. */
export function restAnswering(respond: (call: SeenCall) => CallResult | Promise<CallResult> = () => answer()) {
  const seen: SeenCall[] = [];
  const app = express().use(
    '/v1',
    restRoutes({
      contextOf: () => ({ caller, requestId: 'request-1' }),
      readBody: () => express.json({ strict: false }),
      run: async (contract, _caller, input, options) => {
        const call = { operation: contract.name, input, options };
        seen.push(call);
        return respond(call);
      },
    }),
    answerError,
  );
  return { app, seen };
}

export const answer = (output: Record<string, unknown> = {}, replayed = false): CallResult => ({ output, replayed });
