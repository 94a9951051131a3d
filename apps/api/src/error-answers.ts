import { DomainError, errorBodyOf } from '@perdure/contracts';
import type { ErrorRequestHandler, RequestHandler } from 'express';

/** Whatever no route took. */
export const notFound: RequestHandler = (_request, response) => {
  response.status(404).json({ error: new DomainError('not_found', 'There is nothing at this address.').toBody() });
};

/** Every failure as `{error: {kind, code, message, hint, details}}`: never HTML, never a stack. */
export function errorAnswers(report: (error: unknown) => void): ErrorRequestHandler {
  return (error: unknown, _request, response, next) => {
    if (response.headersSent) return next(error);
    const refusal = asRefusal(error);
    if (!(refusal instanceof DomainError)) report(error);
    response.status(refusal instanceof DomainError ? refusal.status : 500).json({ error: errorBodyOf(refusal) });
  };
}

/** Express itself refuses a path that does not decode, with a status on the error. */
function asRefusal(error: unknown): unknown {
  const status = error instanceof Error && 'status' in error ? error.status : undefined;
  if (status !== 400 || error instanceof DomainError) return error;
  return new DomainError('invalid_input', 'The address or the request is malformed.');
}
