import { DomainError, type Caller, type OperationContract, type RunOperation } from '@perdure/contracts';
import { Router, type ErrorRequestHandler, type RequestHandler, type Response } from 'express';
import { BodyLines, sendsLines } from './body-lines.js';
import { MethodNotAllowed } from './method-not-allowed.js';
import { argumentReader, isWithoutBody, lineArgumentReader } from './request-arguments.js';
import { expressPath, routeTable } from './route-table.js';
import { sendAnswer } from './send-answer.js';

export interface RestOptions {
  readonly run: RunOperation;
  /** Who calls and under which request id; authentication happens before this router. Told which operation it is for. */
  readonly contextOf: (response: Response, contract: OperationContract) => { caller: Caller; requestId: string };
  /**
   * Reads a JSON body into `request.body`, or passes a refusal to `next`. Asked only where an operation takes one.
   * `limitBytes` only where its contract gives one.
   */
  readonly readBody: (limitBytes?: number) => RequestHandler;
}

/**
 * The router for `/v1`: a route per operation. Every refusal goes to `next` as a DomainError, also those for an address
 * that is none (404) and a method that an address does not take (405, with `Allow`).
 */
export function restRoutes(options: RestOptions): Router {
  const router = Router({ caseSensitive: true, strict: true });
  for (const { path, operations } of routeTable()) {
    const route = router.route(expressPath(path));
    for (const contract of operations) addOperation(route, contract, options);
    route.all(refuseMethod(operations));
  }
  return router.use(refuseAddress, refuseEncoding);
}

const METHODS = { GET: 'get', POST: 'post', PUT: 'put', PATCH: 'patch' } as const;

function addOperation(route: ReturnType<Router['route']>, contract: OperationContract, options: RestOptions): void {
  const serve = serveOperation(contract, options);
  if (contract.route.method === 'GET') route.get(serve);
  else if (contract.route.lines === undefined)
    route[METHODS[contract.route.method]](readBodyOf(contract, options), serve);
  else route[METHODS[contract.route.method]](serveLines(contract, options), readBodyOf(contract, options), serve);
}

function readBodyOf({ route }: OperationContract, { readBody }: RestOptions): RequestHandler {
  const read = readBody(route.bodyLimitBytes);
  return (request, response, next) => (isWithoutBody(request) ? next() : read(request, response, next));
}

/** A body of lines; any other goes on to the next handler. */
function serveLines(contract: OperationContract, { run, contextOf }: RestOptions): RequestHandler {
  const readArguments = lineArgumentReader(contract);
  const bodies = new BodyLines();
  return async (request, response, next) => {
    if (!sendsLines(request, contract)) return next();
    const { caller, requestId } = contextOf(response, contract);
    const given = readArguments(request);
    const result = await bodies.during(request, contract.route.bodyLimitBytes ?? 0, (lines) =>
      run(contract, caller, given, { requestId, signal: abortedWith(response), lines }),
    );
    await sendAnswer(response, contract, result);
  };
}

function serveOperation(contract: OperationContract, { run, contextOf }: RestOptions): RequestHandler {
  const readArguments = argumentReader(contract);
  return async (request, response) => {
    const { caller, requestId } = contextOf(response, contract);
    // A query changes nothing, so a client may send the header with every call.
    const idempotencyKey = contract.kind === 'mutation' ? request.get('idempotency-key') : undefined;
    const result = await run(contract, caller, readArguments(request), {
      requestId,
      signal: abortedWith(response),
      ...(contract.route.download === undefined ? {} : { takesDownload: true }),
      ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    });
    await sendAnswer(response, contract, result);
  };
}

/** Aborted when the client goes away before it has its answer (G6). */
function abortedWith(response: Response): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}

function refuseMethod(operations: readonly OperationContract[]): RequestHandler {
  const methods = operations.map(({ route }) => route.method);
  // Express answers HEAD wherever there is a GET.
  const allowed = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
  return (_request, response, next) => {
    response.set('allow', allowed);
    next(new MethodNotAllowed(allowed));
  };
}

const refuseAddress: RequestHandler = (_request, _response, next) =>
  next(
    new DomainError(
      'not_found',
      'There is no such address under /v1.',
      {},
      'GET /v1/openapi.json lists what there is.',
    ),
  );

/** Express throws a URIError of its own when a path parameter is no percent-encoded UTF-8; its message quotes it. */
const refuseEncoding: ErrorRequestHandler = (error: unknown, _request, _response, next) =>
  next(error instanceof URIError ? new DomainError('invalid_input', 'The path is not percent-encoded UTF-8.') : error);
