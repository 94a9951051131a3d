import {
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  validateHostHeader,
  validateOriginHeader,
} from '@modelcontextprotocol/server';
import { DomainError } from '@perdure/contracts';
import type { RequestHandler, Response } from 'express';

export interface BrowserGuardOptions {
  /** Exact origins (scheme, host, port) of browsers that may call. */
  readonly allowedOrigins: readonly string[];
  /** Host names this gateway is known by; null when it does not listen on loopback and any name may lead to it. */
  readonly hostNames: readonly string[] | null;
}

const CORS_MAX_AGE_S = 600;
const REQUEST_HEADERS =
  'Authorization, Content-Type, Accept, Mcp-Protocol-Version, Mcp-Session-Id, Mcp-Method, Mcp-Name, Last-Event-ID, X-Request-Id';

/** Names under which a gateway on loopback is reached: its own and, behind a proxy, that of its public url. */
export function loopbackHostNames(host: string, publicUrl: string | null): readonly string[] | null {
  if (!['127.0.0.1', 'localhost', '::1'].includes(host)) return null;
  return [...localhostAllowedHostnames(), ...(publicUrl === null ? [] : [new URL(publicUrl).hostname])];
}

/**
 * Keeps other people's web pages out (2026-07-28, Streamable HTTP, Security Warning). A page that rebinds its name to
 * 127.0.0.1 arrives with its own `Host`; one that calls across origins arrives with its `Origin`. Both are refused with
 * 403 before the credential is looked at. Programs send no `Origin` and pass. Preflights are answered here.
 */
export function browserGuard({ allowedOrigins, hostNames }: BrowserGuardOptions): RequestHandler {
  const isAllowed = (origin: string) =>
    allowedOrigins.includes(origin) ||
    (hostNames !== null && validateOriginHeader(origin, localhostAllowedOrigins()).ok);
  return (request, response, next) => {
    if (hostNames !== null && !validateHostHeader(request.headers.host, [...hostNames]).ok) {
      return next(new DomainError('forbidden', 'This host name is not one of this gateway.'));
    }
    const { origin } = request.headers;
    if (origin === undefined) return next();
    response.vary('Origin');
    if (!isAllowed(origin))
      return next(new DomainError('forbidden', 'Pages of this origin may not call this gateway.'));
    allowOrigin(response, origin);
    if (request.method !== 'OPTIONS') return next();
    response.status(204).end();
  };
}

/** No cookies are taken, so credentials mode stays off and a page must hold a token of its own. */
function allowOrigin(response: Response, origin: string): void {
  response.set({
    'access-control-allow-origin': origin,
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers': REQUEST_HEADERS,
    'access-control-expose-headers': 'WWW-Authenticate, Mcp-Session-Id, X-Request-Id, Retry-After',
    'access-control-max-age': String(CORS_MAX_AGE_S),
  });
}
