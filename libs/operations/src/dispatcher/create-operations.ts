import {
  type Authenticate,
  type Caller,
  type CallOptions,
  type CallResult,
  DomainError,
  type OperationContract,
  type RunOperation,
} from '@perdure/contracts';
import { recordAuditEvent, translatePostgresError, type Transaction, withWorkspace } from '@perdure/store';
import type { DataSource } from 'typeorm';
import { monotonicFactory } from 'ulid';
import { createAuthenticate } from '../access/authenticate.js';
import { findImplementation } from '../handlers.js';
import { type IdempotentCall, keepAnswer, takeKey } from './idempotency.js';
import type { AuditStatement, Implementation } from './implement.js';
import { type ParsedCall, parseInput } from './parse-input.js';
import { refuseSecrets } from './secret-guard.js';

export interface OperationsOptions {
  /** Connected as `perdure_app`. */
  readonly dataSource: DataSource;
  readonly clock?: () => Date;
  /** Called after a commit that recorded audit events; must not throw and is not awaited. */
  readonly onCommitted?: (workspaceId: string) => void;
  /** Checks answers against the contract's output schema: for tests and development, not for the hot path. */
  readonly validateOutput?: boolean;
  /** Told about every failure that is no refusal, with the request id that the caller is shown. */
  readonly onInternalError?: (
    error: unknown,
    context: { requestId: string; operation: string; workspaceId: string },
  ) => void;
  /** Where agents reach this installation over MCP, for ready client configurations. */
  readonly mcpUrl?: string;
}

export interface Operations {
  readonly run: RunOperation;
  readonly authenticate: Authenticate;
}

/** The dispatcher: the only door to a handler (DESIGN §3). */
export function createOperations(options: OperationsOptions): Operations {
  const clock = options.clock ?? (() => new Date());
  const nextUlid = monotonicFactory();
  const dispatcher: Dispatcher = { ...options, clock, newId: () => nextUlid(clock().getTime()) };
  return {
    run: (contract, caller, rawInput, callOptions) => run(dispatcher, contract, caller, rawInput, callOptions),
    authenticate: createAuthenticate({ dataSource: options.dataSource, clock }),
  };
}

interface Dispatcher extends OperationsOptions {
  readonly clock: () => Date;
  readonly newId: () => string;
}

async function run(
  dispatcher: Dispatcher,
  contract: OperationContract,
  caller: Caller,
  rawInput: unknown,
  options: CallOptions,
): Promise<CallResult> {
  try {
    const call = parseInput(contract, rawInput, options.idempotencyKey);
    authorise(contract, caller);
    refuseSecrets(contract, call.sent, call.idempotencyKey);
    const { result, audited } = await withWorkspace(
      dispatcher.dataSource,
      caller.workspaceId,
      (tx) => perform(dispatcher, { tx, contract, caller, call }),
      { signal: options.signal },
    );
    if (audited) dispatcher.onCommitted?.(caller.workspaceId);
    return result;
  } catch (error) {
    const refusal = translatePostgresError(error);
    if (refusal instanceof DomainError) throw refusal;
    dispatcher.onInternalError?.(error, {
      requestId: options.requestId,
      operation: contract.name,
      workspaceId: caller.workspaceId,
    });
    throw new DomainError('internal', 'Something went wrong on our side; the call changed nothing.', {
      request_id: options.requestId,
    });
  }
}

/** @throws DomainError `forbidden_scope` naming the scope */
function authorise(contract: OperationContract, caller: Caller): void {
  if (contract.scope === 'any' || caller.scopes.has(contract.scope)) return;
  throw new DomainError(
    'forbidden_scope',
    `${contract.name} needs the scope ${contract.scope}, which this credential does not have.`,
    {
      scope: contract.scope,
    },
  );
}

interface Performance {
  readonly tx: Transaction;
  readonly contract: OperationContract;
  readonly caller: Caller;
  readonly call: ParsedCall;
}

/** What happens inside the transaction: idempotency record, handler, audit events, stored answer. */
async function perform(
  dispatcher: Dispatcher,
  { tx, contract, caller, call }: Performance,
): Promise<{ result: CallResult; audited: boolean }> {
  const now = dispatcher.clock().toISOString();
  const idempotent: IdempotentCall | null =
    call.idempotencyKey === null
      ? null
      : { contract, actorId: caller.actor.id, key: call.idempotencyKey, input: call.input, now };
  const earlier = idempotent === null ? null : await takeKey(tx, idempotent);
  if (earlier !== null) return { result: { output: earlier, replayed: true }, audited: false };

  const statements: { eventId: string; statement: AuditStatement }[] = [];
  const audit = (statement: AuditStatement): string => {
    const eventId = statement.eventId ?? dispatcher.newId();
    statements.push({ eventId, statement });
    return eventId;
  };
  const implementation: Implementation = findImplementation(contract.name);
  const { newId, mcpUrl = null } = dispatcher;
  const output = await implementation.handle({ tx, caller, input: call.input, now, newId, mcpUrl, audit });
  if (dispatcher.validateOutput === true) contract.output.parse(output);
  for (const { eventId, statement } of statements) {
    const { type, subjectId, payload } = statement;
    recordAuditEvent(tx, { eventId, type, at: now, actorId: caller.actor.id, subjectId, payload });
  }
  if (idempotent !== null) keepAnswer(tx, idempotent, output);
  return { result: { output, replayed: false }, audited: statements.length > 0 };
}
