import type { Caller, CallResult, OperationContract } from '@perdure/contracts';
import {
  NO_QUOTA,
  recordAuditEvent,
  type Transaction,
  withWorkspace,
  type WorkspaceQuota,
  type WorkspaceStanding,
} from '@perdure/store';
import type { DataSource } from 'typeorm';
import { findImplementation } from '../handlers.js';
import { admitWrite, countStored, measureStorage, StorageUnmeasured } from './admission.js';
import type { OneDownload } from './downloads.js';
import { type IdempotentCall, keepAnswer, takeKey } from './idempotency.js';
import type { AuditStatement, Implementation } from './implement.js';
import type { ParsedCall } from './parse-input.js';

/** Ten of the largest batches: minutes of work, and a fraction of a disk. */
const DEFAULT_USAGE_BACKLOG = 100_000;

/** What every call is performed with. */
export interface Performer {
  readonly dataSource: DataSource;
  readonly clock: () => Date;
  readonly newId: () => string;
  readonly validateOutput?: boolean;
  readonly mcpUrl?: string;
  readonly apiUrl?: string;
  readonly usageBacklogLimit?: number;
}

/** A call whose arguments are parsed and whose caller may make it. */
export interface AuthorisedCall {
  readonly contract: OperationContract;
  readonly caller: Caller;
  readonly call: ParsedCall;
  readonly download: OneDownload;
  readonly lines: AsyncIterable<Uint8Array> | null;
}

export interface Outcome {
  readonly result: CallResult;
  readonly audited: boolean;
}

/** In a transaction, and in a second one when the first could not be admitted before something was measured. */
export async function performMeasured(
  performer: Performer,
  authorised: AuthorisedCall,
  signal: AbortSignal | undefined,
): Promise<Outcome> {
  const { dataSource, clock } = performer;
  const { workspaceId } = authorised.caller;
  const attempt = () =>
    withWorkspace(dataSource, workspaceId, (tx, standing) => performAdmitted(performer, authorised, { tx, standing }), {
      signal,
      readStanding: authorised.contract.kind === 'mutation',
    });
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
  /** Arrives before the answer to the first statement: nobody waits for it alone. */
  readonly standing: Promise<WorkspaceStanding | null>;
}

/**
 * The handler begins while the standing of its workspace is under way, and commits only when that let it in. What the
 * workspace is refused for goes before what the handler found.
 */
async function performAdmitted(
  performer: Performer,
  authorised: AuthorisedCall,
  { tx, standing }: Inside,
): Promise<Outcome> {
  const { contract, call } = authorised;
  if (contract.kind === 'query') return perform(performer, { ...authorised, tx, quota: Promise.resolve(NO_QUOTA) });
  const admitted = standing.then((known) =>
    admitWrite({ contract, standing: known, input: call.input, now: performer.clock() }),
  );
  const quota = standing.then((known) => known?.quota ?? NO_QUOTA);
  for (const early of [admitted, quota]) early.catch(() => undefined); // heard below
  const performed = perform(performer, { ...authorised, tx, quota });
  const outcome = await performed.catch(async (error: unknown) => {
    await admitted;
    throw error;
  });
  const bytes = await admitted;
  if (bytes !== null && !outcome.result.replayed) countStored(tx, bytes);
  return outcome;
}

interface Performance extends AuthorisedCall {
  readonly tx: Transaction;
  readonly quota: Promise<WorkspaceQuota>;
}

/** What happens inside the transaction: idempotency record, handler, audit events, stored answer. */
async function perform(
  performer: Performer,
  { tx, contract, caller, call, quota, download, lines }: Performance,
): Promise<Outcome> {
  const now = performer.clock().toISOString();
  const idempotent: IdempotentCall | null =
    call.idempotencyKey === null
      ? null
      : { contract, actorId: caller.actor.id, key: call.idempotencyKey, input: call.input, now };
  const earlier = idempotent === null ? null : await takeKey(tx, idempotent);
  if (earlier !== null) return { result: { output: earlier, replayed: true }, audited: false };

  const statements: { eventId: string; statement: AuditStatement }[] = [];
  const audit = (statement: AuditStatement): string => {
    const eventId = statement.eventId ?? performer.newId();
    statements.push({ eventId, statement });
    return eventId;
  };
  const implementation: Implementation = findImplementation(contract.name);
  const { newId, mcpUrl = null, apiUrl = null, usageBacklogLimit = DEFAULT_USAGE_BACKLOG } = performer;
  const where = { now, newId, mcpUrl, apiUrl, quota, lines, usageBacklogLimit };
  const output = await implementation.handle({ tx, caller, input: call.input, ...where, audit, download });
  if (performer.validateOutput === true) contract.output.parse(output);
  for (const { eventId, statement } of statements) {
    const { type, subjectId, payload } = statement;
    recordAuditEvent(tx, { eventId, type, at: now, actorId: caller.actor.id, subjectId, payload });
  }
  if (idempotent !== null) keepAnswer(tx, idempotent, output);
  return { result: { output, replayed: false }, audited: statements.length > 0 };
}
