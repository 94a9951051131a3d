import type { Caller, CallOptions, RunOperation } from '@perdure/contracts';

/** What the HTTP side hands to every procedure of one request. */
export interface TrpcContext {
  readonly caller: Caller;
  readonly run: RunOperation;
  readonly options: CallOptions;
  /** Called when an answer is a stored one, so that the HTTP side can say so in a header. */
  onReplayed(): void;
}
