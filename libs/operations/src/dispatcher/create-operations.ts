import {
  type Authenticate,
  type Caller,
  type CallOptions,
  type CallResult,
  DomainError,
  isAllowedBy,
  type OperationContract,
  type RunOperation,
} from '@perdure/contracts';
import { translatePostgresError } from '@perdure/store';
import type { DataSource } from 'typeorm';
import { monotonicFactory } from 'ulid';
import { AccessChanges } from '../access/access-changes.js';
import { AccessTokenCache } from '../access/access-token-cache.js';
import { callerOfCredential, createAuthenticate } from '../access/authenticate.js';
import { CredentialCache } from '../access/credential-cache.js';
import { LastUses } from '../access/last-uses.js';
import { OneDownload } from './downloads.js';
import { parseInput } from './parse-input.js';
import { performMeasured } from './perform-call.js';
import { refuseSecrets } from './secret-guard.js';

export interface OperationsOptions {
  /** Connected as `perdure_app`. */
  readonly dataSource: DataSource;
  readonly clock?: () => Date;
  /** Called after a commit that recorded audit events; must not throw and is not awaited. */
  readonly onCommitted?: (workspaceId: string) => void;
  /** Called after a commit that received usage to be applied; must not throw and is not awaited. */
  readonly onUsageReceived?: (workspaceId: string) => void;
  /** Reports of one workspace that may wait to be applied before further ones are refused for a while (U3). */
  readonly usageBacklogLimit?: number;
  /** Checks answers against the contract's output schema: for tests and development, not for the hot path. */
  readonly validateOutput?: boolean;
  /** Told about every failure that is no refusal, with the request id that the caller is shown. */
  readonly onInternalError?: (
    error: unknown,
    context: { requestId: string; operation: string; workspaceId: string },
  ) => void;
  /** Told when last uses of credentials could not be written. */
  readonly onLostUse?: (error: unknown) => void;
  /** Where agents reach this installation over MCP: for ready client configurations, and what access tokens are made for. */
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
  const accessTokens = new AccessTokenCache(dataSource, accessChanges);
  const lastUses = new LastUses({ dataSource, onError: (error) => options.onLostUse?.(error) });
  const dispatcher: Dispatcher = { ...options, clock, newId: () => nextUlid(clock().getTime()), accessChanges };
  return {
    run: (contract, caller, rawInput, callOptions) => run(dispatcher, contract, caller, rawInput, callOptions),
    authenticate: createAuthenticate({ credentials, accessTokens, lastUses, clock, audience: options.mcpUrl ?? null }),
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
    const download = new OneDownload(options.takesDownload === true);
    const authorised = { contract, caller, call, download, lines: options.lines ?? null };
    const { result, audited } = await performMeasured(dispatcher, authorised, options.signal);
    if (changesAccess(contract)) dispatcher.accessChanges.lookNext();
    if (audited) dispatcher.onCommitted?.(caller.workspaceId);
    if (contract.wakes === 'usage_ingest') dispatcher.onUsageReceived?.(caller.workspaceId);
    return await download.addTo(result, contract, dispatcher.dataSource);
  } catch (error) {
    const refusal = translatePostgresError(error);
    if (refusal instanceof DomainError) throw refusal;
    // Whoever left is no fault of ours, and hears nothing of what follows.
    if (options.signal?.aborted !== true) report(dispatcher, error, { contract, caller, options });
    throw new DomainError('internal', 'Something went wrong on our side; the call changed nothing.', {
      request_id: options.requestId,
    });
  }
}

interface FailedCall {
  readonly contract: OperationContract;
  readonly caller: Caller;
  readonly options: CallOptions;
}

function report({ onInternalError }: Dispatcher, error: unknown, { contract, caller, options }: FailedCall): void {
  const { requestId } = options;
  onInternalError?.(error, { requestId, operation: contract.name, workspaceId: caller.workspaceId });
}

const changesAccess = ({ kind, area }: OperationContract): boolean =>
  kind === 'mutation' && (area === 'access' || area === 'platform');

/** @throws DomainError `forbidden_scope` naming the scope */
function authorise(contract: OperationContract, caller: Caller): void {
  if (isAllowedBy(contract, caller.scopes)) return;
  throw new DomainError(
    'forbidden_scope',
    `${contract.name} needs the scope ${contract.scope}, which this credential does not have.`,
    {
      scope: contract.scope,
    },
  );
}
