import { SCOPES, type Caller, type CallResult, type RunOperation, type Scope } from '@perdure/contracts';
import type { ToolCall } from '../call-tool.js';

const callerWith = (scopes: readonly Scope[] = SCOPES): Caller => ({
  workspaceId: '01K5ZQ8W3M9X7B2C4D6E8F0G00',
  actor: { id: '01K5ZQ8W3M9X7B2C4D6E8F0G01', name: 'agent-1', kind: 'agent' },
  scopes: new Set(scopes),
  credentialId: '01K5ZQ8W3M9X7B2C4D6E8F0G02',
  expiresAt: null,
});

export interface SeenCall {
  readonly operation: string;
  readonly input: unknown;
  readonly options: Parameters<RunOperation>[3];
}

/** A call whose port answers with what the test says; `seen` and `reported` tell what came through. */
export function callAnswering(
  respond: (seen: SeenCall) => CallResult | Promise<CallResult>,
  scopes?: readonly Scope[],
) {
  const seen: SeenCall[] = [];
  const reported: { thrown: unknown; tool: string }[] = [];
  const call: ToolCall = {
    caller: callerWith(scopes),
    options: { requestId: 'request-1' },
    run: async (contract, _caller, input, options) => {
      const one = { operation: contract.name, input, options };
      seen.push(one);
      return respond(one);
    },
    onError: (thrown, tool) => reported.push({ thrown, tool }),
  };
  return { call, seen, reported };
}

export const output = (value: Record<string, unknown> = {}, replayed = false): CallResult => ({
  output: value,
  replayed,
});
