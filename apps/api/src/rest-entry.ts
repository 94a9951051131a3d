import type { Authenticate, RunOperation } from '@perdure/contracts';
import { restRoutes } from '@perdure/rest';
import {
  callerOf,
  describeRequest,
  jsonBody,
  limitCallers,
  logFieldsOf,
  requireCaller,
  type RequestLimits,
} from '@perdure/service';
import type { RequestHandler } from 'express';

export interface RestEntryOptions {
  readonly authenticate: Authenticate;
  readonly limits: RequestLimits;
  readonly run: RunOperation;
}

/**
 * REST behind its guards: a credential within its limits, then 512 kB of JSON in UTF-8 where an operation takes a body. What any of them
 * refuses goes to the error answers of the application.
 */
export const restEntry = ({ authenticate, limits, run }: RestEntryOptions): RequestHandler[] => [
  requireCaller(authenticate, limits),
  limitCallers(limits),
  restRoutes({
    run,
    readBody: jsonBody,
    contextOf: (response, contract) => {
      describeRequest(response, { op: contract.name });
      return { caller: callerOf(response), requestId: logFieldsOf(response).request_id };
    },
  }),
];
