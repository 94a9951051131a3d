import {
  DomainError,
  findOperation,
  type Caller,
  type CallOptions,
  type CallResult,
  type RunOperation,
} from '@perdure/contracts';
import { refuseSecret, shownName } from '@perdure/guard';
import { ProtocolError, ProtocolErrorCode, type CallToolResult } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import { findOperations, findOperationsContract } from './find-operations.js';
import { operationToRun, runOperationContract } from './run-operation.js';
import { answer, refusal } from './tool-results.js';

/** Everything one request brings along; nothing of it outlives the request. */
export interface ToolCall {
  readonly caller: Caller;
  readonly run: RunOperation;
  readonly options: CallOptions;
  /** What was found wrong with the arguments before they came here; the tool answers with it. */
  readonly refusal?: DomainError | undefined;
  /** Told of everything thrown that is no DomainError: the client sees only `internal`. */
  onError(thrown: unknown, tool: string): void;
}

/**
 * Calls a tool by name, listed or not. A refusal is a result with `isError`, so that the model sees it.
 * @throws ProtocolError -32602 for a name that is no tool, as the MCP specification asks (server/tools, Error Handling)
 */
export async function callTool(name: string, rawArguments: unknown, call: ToolCall): Promise<CallToolResult> {
  const invoke = invocationOf(name);
  if (invoke === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, unknownTool(name));
  try {
    if (call.refusal !== undefined) throw call.refusal;
    return answer(await invoke(rawArguments ?? {}, call));
  } catch (thrown) {
    if (!(thrown instanceof DomainError)) call.onError(thrown, name);
    return refusal(thrown, call.options.requestId);
  }
}

type Invocation = (rawArguments: unknown, call: ToolCall) => CallResult | Promise<CallResult>;

function invocationOf(name: string): Invocation | undefined {
  const contract = findOperation(name);
  if (contract !== undefined) return (raw, { run, caller, options }) => run(contract, caller, raw, options);
  if (name === findOperationsContract.name) return search;
  if (name === runOperationContract.name) return runByName;
  return undefined;
}

const search: Invocation = (raw, { caller }) => {
  const { query, limit } = parse(findOperationsContract.input, raw);
  refuseSecret(query, 'query');
  return { output: findOperations(query, limit, caller.scopes), replayed: false };
};

/** The same path as a direct call: the operation's own scope, schema and audit. */
const runByName: Invocation = (raw, { run, caller, options }) => {
  const { name, arguments: operationArguments } = parse(runOperationContract.input, raw);
  return run(operationToRun(name), caller, operationArguments ?? {}, options);
};

/** Only these two tools are parsed here; an operation's input is the dispatcher's to parse. */
function parse<Input extends z.ZodObject>(schema: Input, raw: unknown): z.output<Input> {
  const parsed = schema.safeParse(raw);
  if (parsed.success) return parsed.data;
  const fields = parsed.error.issues.flatMap((issue) => {
    const names = issue.code === 'unrecognized_keys' ? issue.keys.map((key) => shownName(key)) : [];
    if (names.length === 0) return [{ path: issue.path.join('.'), message: issue.message }];
    return names.map((path) => ({ path, message: 'is no argument of this tool' }));
  });
  const message = fields.map(({ path, message: what }) => `${path || 'arguments'}: ${what}`).join('; ');
  throw new DomainError('invalid_input', message, { fields });
}

/** Echoes a name only when it could be one: a message never carries what a client put in the wrong place. */
const unknownTool = (name: string) =>
  /^[A-Za-z0-9_.-]{1,64}$/.test(name) ? `Unknown tool: ${shownName(name)}` : 'Unknown tool';
