import {
  catalogue,
  DomainError,
  type Authenticate,
  type OperationContract,
  type RunOperation,
} from '@perdure/contracts';
import {
  callerOf,
  describeRequest,
  jsonBody,
  limitCallers,
  logFieldsOf,
  refuseBadKeys,
  requireCaller,
  type RequestLimits,
  type RequestLogFields,
} from '@perdure/service';
import { createRouter, toTrpcError, type TrpcContext } from '@perdure/trpc';
import type { TRPCError } from '@trpc/server';
import { createExpressMiddleware, type CreateExpressContextOptions } from '@trpc/server/adapters/express';
import type { Request, RequestHandler, Response } from 'express';

export interface TrpcOptions {
  readonly authenticate: Authenticate;
  readonly limits: RequestLimits;
  readonly run: RunOperation;
  /** Told of every failure that is no refusal; the client sees only `internal`. */
  readonly onError: (error: unknown, fields?: RequestLogFields) => void;
}

/** As many calls as one dashboard page makes; a longer batch is a script that should page. */
const MAX_BATCH_SIZE = 50;

const JSON_TYPE = { 'content-type': 'application/json' };
/** Pages of other origins get other headers; tRPC sets `Vary` anew, so what stood there must be said to it. */
const BY_ORIGIN = { vary: 'Origin' };

/**
 * tRPC over HTTP. What the guards refuse goes through tRPC as well, so that a typed client always finds its error at
 * `error.data.perdure`. Queries with long inputs may come by POST (`methodOverride`).
 */
export function trpcRoutes(options: TrpcOptions): RequestHandler {
  const { authenticate, limits } = options;
  const guards = [
    requireCaller(authenticate, limits),
    limitCallers(limits, callsIn),
    inputOfUrl,
    bodyOfPosts(jsonBody(), largeBodies()),
  ];
  return createExpressMiddleware({
    router: createRouter(),
    allowMethodOverride: true,
    maxBatchSize: MAX_BATCH_SIZE,
    middleware: (request, response, next) => passThrough(guards, request, response, next),
    // What tRPC refuses before it knows the call (`info`) it would send as text/plain.
    responseMeta: ({ info }) => ({
      headers: new Headers(info === undefined ? { ...BY_ORIGIN, ...JSON_TYPE } : BY_ORIGIN),
    }),
    createContext: (created) => contextOf(created, options.run),
    onError: ({ error, ctx }) => {
      if (error.code === 'INTERNAL_SERVER_ERROR' && !(error.cause instanceof DomainError))
        options.onError(error.cause ?? error, ctx && fieldsOf(ctx));
    },
  });
}

const fieldsOf = ({ caller, options }: TrpcContext): RequestLogFields => ({
  request_id: options.requestId,
  workspace_id: caller.workspaceId,
});

/** Runs the guards in turn; the first refusal goes to `next` as tRPC knows it. */
function passThrough(
  [guard, ...rest]: readonly RequestHandler[],
  request: Request,
  response: Response,
  next: (error?: TRPCError) => void,
): void {
  if (guard === undefined) return next();
  const proceed = (error?: unknown) =>
    error === undefined ? passThrough(rest, request, response, next) : next(toTrpcError(error));
  Promise.resolve(guard(request, response, proceed)).catch(proceed);
}

/** The path of a batch names its calls, separated by commas. */
const callsIn = ({ path }: Request): number => path.split(',').length;

/** A query by GET has its input as JSON in the url. */
const inputOfUrl: RequestHandler = (request, _response, next) => {
  const query = new URLSearchParams(request.url.split('?', 2)[1]);
  for (const input of query.getAll('input')) refuseBadKeys(input);
  next();
};

const bodyOfPosts =
  (read: RequestHandler, large: ReadonlyMap<string, RequestHandler>): RequestHandler =>
  (request, response, next) =>
    request.method === 'POST' ? (large.get(request.path) ?? read)(request, response, next) : next();

/** Readers of the procedures that take more than others, by their path; several calls at once share the usual limit. */
const largeBodies = (): ReadonlyMap<string, RequestHandler> =>
  new Map(
    Object.entries(catalogue).flatMap(([area, operations]) =>
      Object.entries(operations).flatMap(([name, { route }]: [string, OperationContract]) =>
        route.bodyLimitBytes === undefined ? [] : [[`/${area}.${name}`, jsonBody(route.bodyLimitBytes)] as const],
      ),
    ),
  );

function contextOf({ req, res, info }: CreateExpressContextOptions, run: RunOperation): TrpcContext {
  const idempotencyKey = req.get('idempotency-key');
  if (idempotencyKey !== undefined && info.calls.length > 1) throw toTrpcError(oneKeyForMany());
  return {
    caller: callerOf(res),
    run: (contract, ...rest) => {
      describeRequest(res, { op: contract.name });
      return run(contract, ...rest);
    },
    options: {
      requestId: logFieldsOf(res).request_id,
      ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    },
    onReplayed: () => {
      // Of several answers the header could not say which; a streamed one has sent its headers already.
      if (info.calls.length === 1 && !res.headersSent) res.set('idempotent-replayed', 'true');
    },
  };
}

const oneKeyForMany = () =>
  new DomainError(
    'invalid_input',
    'One Idempotency-Key header cannot stand for the several calls of a batch.',
    {},
    'Give each call its own idempotency_key argument.',
  );
