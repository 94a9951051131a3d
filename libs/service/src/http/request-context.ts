import { randomUUID } from 'node:crypto';
import type { RequestHandler, Response } from 'express';
import type { Logger } from 'pino';

const REQUEST_ID = /^[A-Za-z0-9_-]{8,64}$/;

/** What every line logged about a request carries. */
export interface RequestLogFields {
  readonly request_id: string;
  readonly workspace_id?: string | undefined;
}

/** What a route may tell the request's one log line about itself. */
export interface RequestFacts {
  workspace_id?: string;
  credential_id?: string;
  /** Name of the operation: the path of a route can hold ids. */
  op?: string;
}

const factsOf = new WeakMap<Response, RequestFacts & { request_id: string }>();

/** Adds facts to the log line of this request. */
export function describeRequest(response: Response, facts: RequestFacts): void {
  Object.assign(factsOf.get(response) ?? {}, facts);
}

/**
 * The fields for any other line about this request. They are handed on and not kept in an AsyncLocalStorage: on Node 20
 * one of those makes every promise of the process dearer.
 *
 * @throws Error when the route was mounted without `requestContext`
 */
export function logFieldsOf(response: Response): RequestLogFields {
  const facts = factsOf.get(response);
  if (facts === undefined) throw new Error('this route has no request id: mount requestContext before it');
  return { request_id: facts.request_id, workspace_id: facts.workspace_id };
}

/**
 * Gives each request an id (the caller's `x-request-id` when it is well-formed), echoes it, and logs one line when the answer is done or was cut off. The line holds no query, header or body.
 */
export function requestContext(logger: Logger): RequestHandler {
  return (request, response, next) => {
    const given = request.get('x-request-id') ?? '';
    const requestId = REQUEST_ID.test(given) ? given : randomUUID();
    const startedAt = performance.now();
    const facts = { request_id: requestId };
    factsOf.set(response, facts);
    response.setHeader('x-request-id', requestId);
    response.once('close', () => {
      const line = {
        ...facts,
        method: request.method,
        status: response.statusCode,
        ms: Math.round(performance.now() - startedAt),
        ...(response.writableFinished ? {} : { aborted: true }),
      };
      logger[response.statusCode >= 500 ? 'error' : 'info'](line, 'request');
    });
    next();
  };
}
