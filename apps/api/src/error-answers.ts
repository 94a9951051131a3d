import { DomainError, errorBodyOf, type ErrorBody } from '@perdure/contracts';
import { logFieldsOf } from '@perdure/service';
import type { ErrorRequestHandler, RequestHandler, Response } from 'express';

/** Whatever no route took. */
export const notFound: RequestHandler = (_request, response) => {
  response.status(404).json({ error: new DomainError('not_found', 'There is nothing at this address.').toBody() });
};

/** Every failure as `{error: {kind, code, message, hint, details}}`: never HTML, never a stack; a fault names its log line. */
export function errorAnswers(report: (error: unknown, response: Response) => void): ErrorRequestHandler {
  return (error: unknown, _request, response, next) => {
    if (response.headersSent) return next(error);
    if (!(error instanceof DomainError)) report(error, response);
    const { retry_after_seconds: wait } = error instanceof DomainError ? error.details : {};
    if (typeof wait === 'number') response.set('retry-after', String(wait));
    response
      .status(error instanceof DomainError ? error.status : 500)
      .json({ error: bodyOf(error, logFieldsOf(response).request_id) });
  };
}

function bodyOf(error: unknown, requestId: string): ErrorBody {
  const body = errorBodyOf(error);
  return body.kind === 'internal' ? { ...body, details: { request_id: requestId, ...body.details } } : body;
}
