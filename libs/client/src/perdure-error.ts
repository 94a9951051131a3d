import type { ErrorBody, ErrorCode, ErrorDetails, ErrorKind } from '@perdure/contracts';
import type { AppRouter } from '@perdure/trpc';
import { TRPCClientError } from '@trpc/client';

/**
 * What happened when no refusal of ours came back. `unreachable`: no answer, or one of somebody else (a proxy, another
 * service). `cancelled`: the caller's own signal. Either way the call may have been carried out.
 */
export type NoAnswer = 'unreachable' | 'cancelled';

/** What a call throws: the refusal as the server put it, or why there is none. */
export class PerdureError extends TRPCClientError<AppRouter> {
  readonly code: ErrorCode | NoAnswer;
  readonly kind: ErrorKind | NoAnswer;
  /** What to do about it. */
  readonly hint: string;
  /** Facts a program can act on; their keys belong to the code. */
  readonly details: ErrorDetails;
  /** HTTP status of the answer; null when there was none. */
  readonly status: number | null;

  constructor(body: PerdureErrorBody, thrown: TRPCClientError<AppRouter>) {
    super(body.message, { cause: thrown, ...(thrown.meta === undefined ? {} : { meta: thrown.meta }) });
    // The constructor above sets its own prototype, so that `instanceof` holds in old JavaScript.
    Object.setPrototypeOf(this, new.target.prototype);
    this.name = 'PerdureError';
    this.code = body.code;
    this.kind = body.kind;
    this.hint = body.hint;
    this.details = body.details;
    this.status = statusOf(thrown);
  }
}

type PerdureErrorBody =
  ErrorBody | (Omit<ErrorBody, 'code' | 'kind'> & { readonly code: NoAnswer; readonly kind: NoAnswer });

/** @param origin of the server, for the message; @param cancelled whether the caller gave the call up */
export function perdureErrorOf(thrown: TRPCClientError<AppRouter>, origin: string, cancelled: boolean): PerdureError {
  // A service that is not Perdure may answer in tRPC's form too.
  const body: ErrorBody | undefined = thrown.data?.perdure;
  return new PerdureError(body ?? noAnswer(thrown, origin, cancelled), thrown);
}

const SEND_AGAIN = 'It may have been carried out. Send it again, a mutation with the same idempotency key.';

function noAnswer(thrown: TRPCClientError<AppRouter>, origin: string, cancelled: boolean): PerdureErrorBody {
  const code = cancelled ? 'cancelled' : 'unreachable';
  const message = cancelled
    ? `The call to ${origin} was cancelled.`
    : `${origin} gave no answer of Perdure: ${reasonOf(thrown)}`;
  return { code, kind: code, message, hint: SEND_AGAIN, details: {} };
}

/** An answer that is not JSON: its status is all of it that may be shown. */
export class ForeignAnswer extends Error {
  constructor(readonly status: number) {
    super(`HTTP status ${status}`);
  }
}

/** Never a word of the answer: it may be anybody's. */
function reasonOf(thrown: TRPCClientError<AppRouter>): string {
  const status = statusOf(thrown);
  if (status !== null) return `HTTP status ${status}`;
  if (thrown.cause?.name === 'TimeoutError') return 'it took too long';
  // `fetch failed` says nothing; its cause does.
  return messageOf(thrown.cause?.cause) ?? thrown.message;
}

function statusOf({ meta, cause }: TRPCClientError<AppRouter>): number | null {
  if (cause instanceof ForeignAnswer) return cause.status;
  const response = meta?.['response'];
  if (typeof response !== 'object' || response === null || !('status' in response)) return null;
  return typeof response.status === 'number' ? response.status : null;
}

function messageOf(thrown: unknown): string | null {
  if (typeof thrown !== 'object' || thrown === null || !('message' in thrown)) return null;
  return typeof thrown.message === 'string' && thrown.message !== '' ? thrown.message : null;
}
