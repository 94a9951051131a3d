import { randomUUID } from 'node:crypto';
import type { RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { addLogContext, withLogContext } from '../log/log-context.js';

const REQUEST_ID = /^[A-Za-z0-9_-]{8,64}$/;

/** What a route may tell the request's one log line about itself. */
export interface RequestFacts {
  workspace_id?: string;
  credential_id?: string;
  /** Name of the operation: the path of a route can hold ids. */
  op?: string;
}

const factsOf = new WeakMap<Response, RequestFacts>();

/** Adds facts to the log line of this request, and the workspace to every line logged while it is served. */
export function describeRequest(response: Response, facts: RequestFacts): void {
  Object.assign(factsOf.get(response) ?? {}, facts);
  if (facts.workspace_id !== undefined) addLogContext({ workspace_id: facts.workspace_id });
}

/**
 * Gives each request an id (the caller's `x-request-id` when it is well-formed), echoes it, carries it through every
 * log line, and logs one line when the answer is done or was cut off. The line holds no query, header or body.
 */
export function requestContext(logger: Logger): RequestHandler {
  return (request, response, next) => {
    const given = request.get('x-request-id') ?? '';
    const requestId = REQUEST_ID.test(given) ? given : randomUUID();
    const startedAt = performance.now();
    const facts: RequestFacts = {};
    factsOf.set(response, facts);
    response.setHeader('x-request-id', requestId);
    response.once('close', () => {
      const line = {
        request_id: requestId,
        ...facts,
        method: request.method,
        status: response.statusCode,
        ms: Math.round(performance.now() - startedAt),
        ...(response.writableFinished ? {} : { aborted: true }),
      };
      logger[response.statusCode >= 500 ? 'error' : 'info'](line, 'request');
    });
    withLogContext({ request_id: requestId }, next);
  };
}
