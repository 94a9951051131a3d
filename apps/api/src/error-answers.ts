import { DomainError, errorBodyOf, type ErrorBody } from '@perdure/contracts';
import { currentLogContext } from '@perdure/service';
import type { ErrorRequestHandler, RequestHandler } from 'express';

/** Whatever no route took. */
export const notFound: RequestHandler = (_request, response) => {
  response.status(404).json({ error: new DomainError('not_found', 'There is nothing at this address.').toBody() });
};

/** Every failure as `{error: {kind, code, message, hint, details}}`: never HTML, never a stack; a fault names its log line. */
export function errorAnswers(report: (error: unknown) => void): ErrorRequestHandler {
  return (error: unknown, _request, response, next) => {
    if (response.headersSent) return next(error);
    if (!(error instanceof DomainError)) report(error);
    response.status(error instanceof DomainError ? error.status : 500).json({ error: bodyOf(error) });
  };
}

function bodyOf(error: unknown): ErrorBody {
  const body = errorBodyOf(error);
  const { request_id } = currentLogContext();
  return body.kind === 'internal' ? { ...body, details: { request_id, ...body.details } } : body;
}
