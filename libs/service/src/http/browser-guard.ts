import { DomainError } from '@perdure/contracts';
import type { RequestHandler, Response } from 'express';

export interface BrowserGuardOptions {
  /** Exact origins (scheme, host, port) of browsers that may call. */
  readonly allowedOrigins: readonly string[];
  /** Host names this server is known by; null when it does not listen on loopback and any name may lead to it. */
  readonly hostNames: readonly string[] | null;
}

/** What pages of an allowed origin may send and read (Fetch Standard, CORS protocol). */
export interface CorsWords {
  readonly methods: string;
  readonly requestHeaders: string;
  readonly exposedHeaders: string;
}

const CORS_MAX_AGE_S = 600;
const LOOPBACK_HOSTS = ['127.0.0.1', 'localhost', '::1'];
/** As they stand in an url. */
const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];

/** Names under which a server on loopback is reached: its own and, behind a proxy, that of its public url. */
export function loopbackHostNames(host: string, publicUrl: string | null): readonly string[] | null {
  if (!LOOPBACK_HOSTS.includes(host)) return null;
  return [...LOOPBACK_NAMES, ...(publicUrl === null ? [] : [new URL(publicUrl).hostname])];
}

/**
 * Keeps other people's web pages out (MCP 2026-07-28, Streamable HTTP, Security Warning). A page that rebinds its name to
 * 127.0.0.1 arrives with its own `Host`; one that calls across origins arrives with its `Origin`. Both are refused with
 * 403 before the credential is looked at. Programs send no `Origin` and pass. Preflights are answered here.
 */
export function browserGuard({ allowedOrigins, hostNames }: BrowserGuardOptions, words: CorsWords): RequestHandler {
  const isAllowed = (origin: string) =>
    allowedOrigins.includes(origin) || (hostNames !== null && LOOPBACK_NAMES.includes(hostNameOf(origin)));
  return (request, response, next) => {
    if (hostNames !== null && !hostNames.includes(hostNameOf(`http://${request.headers.host}`))) {
      return next(new DomainError('forbidden', 'This host name is not one of this server.'));
    }
    const { origin } = request.headers;
    if (origin === undefined) return next();
    response.vary('Origin');
    if (!isAllowed(origin)) return next(new DomainError('forbidden', 'Pages of this origin may not call this server.'));
    allowOrigin(response, origin, words);
    if (request.method !== 'OPTIONS') return next();
    response.status(204).end();
  };
}

/** Empty for what is no url. */
const hostNameOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname : '');

/** No cookies are taken, so credentials mode stays off and a page must hold a token of its own. */
function allowOrigin(response: Response, origin: string, words: CorsWords): void {
  response.set({
    'access-control-allow-origin': origin,
    'access-control-allow-methods': words.methods,
    'access-control-allow-headers': words.requestHeaders,
    'access-control-expose-headers': words.exposedHeaders,
    'access-control-max-age': String(CORS_MAX_AGE_S),
  });
}
