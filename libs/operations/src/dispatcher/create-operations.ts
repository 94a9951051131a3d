import {
  type Authenticate,
  type Caller,
  type CallOptions,
  type CallResult,
  DomainError,
  type OperationContract,
  type RunOperation,
} from '@perdure/contracts';
import {
  NO_QUOTA,
  recordAuditEvent,
  translatePostgresError,
  type Transaction,
  withWorkspace,
  type WorkspaceQuota,
  type WorkspaceStanding,
} from '@perdure/store';
import type { DataSource } from 'typeorm';
import { monotonicFactory } from 'ulid';
import { AccessChanges } from '../access/access-changes.js';
import { callerOfCredential, createAuthenticate } from '../access/authenticate.js';
import { CredentialCache } from '../access/credential-cache.js';
import { LastUses } from '../access/last-uses.js';
import { findImplementation } from '../handlers.js';
import { admitWrite, countStored, measureStorage, StorageUnmeasured } from './admission.js';
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
  /** Told when last uses of credentials could not be written. */
  readonly onLostUse?: (error: unknown) => void;
  /** Where agents reach this installation over MCP, for ready client configurations. */
  readonly mcpUrl?: string;
  /** Where people reach the api, without a trailing slash, for links that they are sent. */
  readonly apiUrl?: string;
}

export interface Operations {
  readonly run: RunOperation;
  readonly authenticate: Authenticate;
  /**
   * The caller of a credential that was authenticated by other means than its token, such as an access token of MCP
   * authorization; null when it is revoked, expired or unknown. As cheap and as prompt as `authenticate`.
   */
  readonly callerOf: (credentialId: string) => Promise<Caller | null>;
  /** What changed about access, for caches of the same process; its listeners are told within a second. */
  readonly accessChanges: AccessChanges;
  /** Writes what is still to be written. The data source stays open. */
  readonly close: () => Promise<void>;
}

/** The dispatcher: the only door to a handler (DESIGN §3). */
export function createOperations(options: OperationsOptions): Operations {
  const clock = options.clock ?? (() => new Date());
  const nextUlid = monotonicFactory();
  const { dataSource } = options;
  const accessChanges = new AccessChanges(dataSource);
  const credentials = new CredentialCache(dataSource, accessChanges);
  const lastUses = new LastUses({ dataSource, onError: (error) => options.onLostUse?.(error) });
  const dispatcher: Dispatcher = { ...options, clock, newId: () => nextUlid(clock().getTime()), accessChanges };
  return {
    run: (contract, caller, rawInput, callOptions) => run(dispatcher, contract, caller, rawInput, callOptions),
    authenticate: createAuthenticate({ credentials, lastUses, clock }),
    callerOf: async (id) => {
      const row = await credentials.find(id);
      return row === null ? null : callerOfCredential(id, row, clock());
    },
    accessChanges,
    close: () => lastUses.flush(),
  };
}

interface Dispatcher extends OperationsOptions {
  readonly clock: () => Date;
  readonly newId: () => string;
  readonly accessChanges: AccessChanges;
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
    const { result, audited } = await performMeasured(dispatcher, { contract, caller, call }, options.signal);
    if (changesAccess(contract)) dispatcher.accessChanges.lookNext();
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

const changesAccess = ({ kind, area }: OperationContract): boolean =>
  kind === 'mutation' && (area === 'access' || area === 'platform');

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

interface AuthorisedCall {
  readonly contract: OperationContract;
  readonly caller: Caller;
  readonly call: ParsedCall;
}

interface Outcome {
  readonly result: CallResult;
  readonly audited: boolean;
}

/** In a transaction, and in a second one when the first could not be admitted before something was measured. */
async function performMeasured(
  dispatcher: Dispatcher,
  authorised: AuthorisedCall,
  signal: AbortSignal | undefined,
): Promise<Outcome> {
  const { dataSource, clock } = dispatcher;
  const { workspaceId } = authorised.caller;
  const attempt = () =>
    withWorkspace(
      dataSource,
      workspaceId,
      async (tx, standing) => performAdmitted(dispatcher, authorised, { tx, standing: await standing }),
      { signal, readStanding: authorised.contract.kind === 'mutation' },
    );
  try {
    return await attempt();
  } catch (error) {
    if (!(error instanceof StorageUnmeasured)) throw error;
    await measureStorage(dataSource, workspaceId, clock());
    return attempt();
  }
}

interface Inside {
  readonly tx: Transaction;
  readonly standing: WorkspaceStanding | null;
}

async function performAdmitted(
  dispatcher: Dispatcher,
  authorised: AuthorisedCall,
  { tx, standing }: Inside,
): Promise<Outcome> {
  const { contract, call } = authorised;
  if (contract.kind === 'query') return perform(dispatcher, { ...authorised, tx, quota: NO_QUOTA });
  const bytes = admitWrite({ contract, standing, input: call.input, now: dispatcher.clock() });
  const outcome = await perform(dispatcher, { ...authorised, tx, quota: standing?.quota ?? NO_QUOTA });
  if (bytes !== null && !outcome.result.replayed) await countStored(tx, bytes);
  return outcome;
}

interface Performance extends AuthorisedCall {
  readonly tx: Transaction;
  readonly quota: WorkspaceQuota;
}

/** What happens inside the transaction: idempotency record, handler, audit events, stored answer. */
async function perform(dispatcher: Dispatcher, { tx, contract, caller, call, quota }: Performance): Promise<Outcome> {
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
  const { newId, mcpUrl = null, apiUrl = null } = dispatcher;
  const { input } = call;
  const output = await implementation.handle({ tx, caller, input, now, newId, mcpUrl, apiUrl, quota, audit });
  if (dispatcher.validateOutput === true) contract.output.parse(output);
  for (const { eventId, statement } of statements) {
    const { type, subjectId, payload } = statement;
    recordAuditEvent(tx, { eventId, type, at: now, actorId: caller.actor.id, subjectId, payload });
  }
  if (idempotent !== null) keepAnswer(tx, idempotent, output);
  return { result: { output, replayed: false }, audited: statements.length > 0 };
}
