import { DomainError, type Authenticate } from '@perdure/contracts';
import type { RequestHandler } from 'express';
import type { RequestLimits } from '../limits/request-limits.js';
import { setCaller } from './caller-of.js';
import { describeRequest } from './request-context.js';

/** How a client without a credential can get one: RFC 9728 section 5.1, RFC 6750 section 3. */
export interface Challenge {
  readonly resourceMetadataUrl: string;
  /** What to ask for; separated by spaces. */
  readonly scope: string;
}

/**
 * Lets a request through only with a valid `Authorization: Bearer …` (RFC 6750). A token anywhere else, in the query
 * above all, is never read. Passes a DomainError `unauthenticated` to `next`, its challenge already in the headers; or
 * `rate_limited`, to whom has sent wrong tokens by the minute. Without a token nothing is guessed, and nothing counted.
 */
export function requireCaller(
  authenticate: Authenticate,
  limits: Pick<RequestLimits, 'ofFailure'>,
  challenge: Challenge | null = null,
): RequestHandler {
  return async (request, response, next) => {
    const token = bearerToken(request.headers.authorization);
    const caller = token === null ? null : await authenticate(token);
    if (caller === null) {
      const tooMany = token === null ? null : await limits.ofFailure(request, response);
      if (tooMany !== null) return next(tooMany);
      response.set('www-authenticate', challengeText(token !== null, challenge));
      return next(
        new DomainError(
          'unauthenticated',
          'This needs a valid credential; there was none, or it is unknown, expired or revoked.',
        ),
      );
    }
    setCaller(response, caller);
    describeRequest(response, { workspace_id: caller.workspaceId, credential_id: caller.credentialId });
    next();
  };
}

function challengeText(hadToken: boolean, challenge: Challenge | null): string {
  // Without a token there is nothing to call wrong (RFC 6750 section 3.1).
  const wrong = hadToken ? ['error="invalid_token"', 'error_description="unknown, expired or revoked"'] : [];
  const where =
    challenge === null ? [] : [`resource_metadata="${challenge.resourceMetadataUrl}"`, `scope="${challenge.scope}"`];
  return ['Bearer', [...wrong, ...where].join(', ')].join(' ').trim();
}

function bearerToken(header: string | undefined): string | null {
  return /^Bearer +([A-Za-z0-9._~+/-]+=*) *$/i.exec(header ?? '')?.[1] ?? null;
}
