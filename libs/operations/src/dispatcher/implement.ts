import type { AuditedEventName, Caller, Download, InputOf, OperationContract, OutputOf } from '@perdure/contracts';
import type { Transaction, WorkspaceQuota } from '@perdure/store';
import type { DataSource } from 'typeorm';

/** An audited event as a handler states it; who, when and the digests are added by the dispatcher. */
export interface AuditStatement {
  readonly type: AuditedEventName;
  readonly subjectId: string;
  /** Ids, states and short fields; of long texts only a digest. */
  readonly payload: Readonly<Record<string, unknown>>;
  /** An id taken beforehand with `newId`, where rows that name the event decide whether there is one. */
  readonly eventId?: string;
}

/** How a handler gives a file: opened after the commit, read in transactions of its own (`route.download`). */
export interface DownloadOffer {
  /** False: it is read at once and put into the answer, so it must be small. */
  readonly isStreamed: boolean;
  readonly offer: (open: (dataSource: DataSource) => Download) => void;
}

export interface HandlerContext<Input> {
  readonly tx: Transaction;
  readonly caller: Caller;
  readonly input: Input;
  /** The instant of the call: one for all rows it writes. RFC 3339, UTC, milliseconds. */
  readonly now: string;
  readonly newId: () => string;
  /** Where agents reach this installation over MCP; null when it was not configured. */
  readonly mcpUrl: string | null;
  /** Where people reach the api of this installation, without a trailing slash; null when it was not configured. */
  readonly apiUrl: string | null;
  /** Of the workspace, there with the answer to the first statement; a query has none to look at. */
  readonly quota: Promise<WorkspaceQuota>;
  readonly download: DownloadOffer;
  /** The items of `route.lines` as NDJSON, where the caller sends them so; instead of that argument, which is empty. */
  readonly lines: AsyncIterable<Uint8Array> | null;
  /** Reports of one workspace that may wait before further ones are refused. */
  readonly usageBacklogLimit: number;
  /**
   * States that an event belongs to this transaction and returns its id, for the rows that carry it. It is written
   * when the handler has returned, so that its place in the pending set is taken as late as can be.
   */
  readonly audit: (statement: AuditStatement) => string;
}

export type Handle<Contract extends OperationContract> = (
  context: HandlerContext<InputOf<Contract>>,
) => Promise<OutputOf<Contract>>;

export interface Implementation<Contract extends OperationContract = OperationContract> {
  readonly contract: Contract;
  readonly handle: Handle<Contract>;
}

/** Binds a handler to its contract; its input and output are typed by it. */
export const implement = <Contract extends OperationContract>(
  contract: Contract,
  handle: Handle<Contract>,
): Implementation<Contract> => ({ contract, handle });
