import { DomainError, type Authenticate, type Caller } from '@perdure/contracts';
import type { RequestHandler, Response } from 'express';
import { describeRequest } from './request-context.js';

const callers = new WeakMap<Response, Caller>();

/** The caller that `requireCaller` found. Throws when the route was mounted without it. */
export function callerOf(response: Response): Caller {
  const caller = callers.get(response);
  if (caller === undefined) throw new Error('this route has no caller: mount requireCaller before it');
  return caller;
}

/**
 * Lets a request through only with a valid `Authorization: Bearer …` (RFC 6750). A token anywhere else, in the query
 * above all, is never read. Passes a DomainError `unauthenticated` to `next`, its challenge already in the headers.
 */
export function requireCaller(authenticate: Authenticate): RequestHandler {
  return async (request, response, next) => {
    const token = bearerToken(request.headers.authorization);
    const caller = token === null ? null : await authenticate(token);
    if (caller === null) {
      // Without a token there is nothing to call wrong (RFC 6750 section 3.1).
      response.set('www-authenticate', token === null ? 'Bearer' : 'Bearer error="invalid_token"');
      return next(
        new DomainError(
          'unauthenticated',
          'This needs a valid credential; there was none, or it is unknown, expired or revoked.',
        ),
      );
    }
    callers.set(response, caller);
    describeRequest(response, { workspace_id: caller.workspaceId, credential_id: caller.credentialId });
    next();
  };
}

function bearerToken(header: string | undefined): string | null {
  return /^Bearer +([A-Za-z0-9._~+/-]+=*) *$/i.exec(header ?? '')?.[1] ?? null;
}
