import { DomainError, errorBodyOf, type ErrorBody, type ErrorCode, type ErrorKind } from '@perdure/contracts';
import { TRPCError, type TRPC_ERROR_CODE_KEY } from '@trpc/server';

/** tRPC derives the HTTP status from its own code: each of these has the status that ERROR_KINDS gives the kind. */
const TRPC_CODES = {
  invalid_input: 'BAD_REQUEST',
  unauthenticated: 'UNAUTHORIZED',
  forbidden: 'FORBIDDEN',
  not_found: 'NOT_FOUND',
  conflict: 'CONFLICT',
  too_large: 'PAYLOAD_TOO_LARGE',
  unsupported: 'UNSUPPORTED_MEDIA_TYPE',
  unprocessable: 'UNPROCESSABLE_CONTENT',
  rate_limited: 'TOO_MANY_REQUESTS',
  unavailable: 'SERVICE_UNAVAILABLE',
  internal: 'INTERNAL_SERVER_ERROR',
} as const satisfies Record<ErrorKind, TRPC_ERROR_CODE_KEY>;

interface OwnWords {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint?: string;
}

/** Refusals that tRPC makes before any procedure runs, in our words: its own may quote the request. */
const PROTOCOL_REFUSALS: Partial<Record<TRPC_ERROR_CODE_KEY, OwnWords>> = {
  PARSE_ERROR: {
    code: 'invalid_input',
    message: 'The request body is not JSON.',
    hint: 'Send one JSON document in UTF-8 as the body.',
  },
  BAD_REQUEST: {
    code: 'invalid_input',
    message: 'The request is not a well-formed tRPC call.',
    hint: 'Send the input as JSON: in `?input=` for a query, as the body for a mutation.',
  },
  NOT_FOUND: {
    code: 'not_found',
    message: 'There is no such procedure.',
    hint: 'Procedures are named area.camelCase, such as sessions.startBuildSession.',
  },
  METHOD_NOT_SUPPORTED: {
    code: 'unsupported',
    message: 'This procedure is not called with that HTTP method.',
    hint: 'Call queries with GET and mutations with POST.',
  },
  PAYLOAD_TOO_LARGE: { code: 'too_large', message: 'The request body is larger than the limit.' },
  UNSUPPORTED_MEDIA_TYPE: { code: 'unsupported', message: 'The request body is not application/json.' },
};

/** Turns anything thrown into the error tRPC answers with. A DomainError keeps its status, all else becomes 500. */
export function toTrpcError(thrown: unknown): TRPCError {
  if (thrown instanceof TRPCError) return thrown;
  const { kind, message } = errorBodyOf(thrown);
  return new TRPCError({ code: TRPC_CODES[kind], message, cause: thrown });
}

/**
 * The body that a client finds at `error.data.perdure`.
 * `requestId` joins the details of an internal fault, so that its reader can name the log line.
 */
export function trpcErrorBody(error: TRPCError, requestId?: string): ErrorBody {
  const own = PROTOCOL_REFUSALS[error.code];
  if (own !== undefined && !(error.cause instanceof DomainError)) {
    return new DomainError(own.code, own.message, {}, own.hint).toBody();
  }
  const body = errorBodyOf(error.cause);
  if (body.kind !== 'internal' || requestId === undefined) return body;
  return { ...body, details: { ...body.details, request_id: requestId } };
}
