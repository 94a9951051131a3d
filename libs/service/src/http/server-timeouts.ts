import type { Server } from 'node:http';

/** A client that sends its headers this slowly is holding a socket, not asking a question. Node's default is 60 s. */
export const HEADERS_TIMEOUT_MS = 10_000;

/** The whole request, body included: 16 MiB of usage reports in 30 s is 4.5 Mbit/s. Node's default is 300 s. */
export const REQUEST_TIMEOUT_MS = 30_000;

/**
 * Longer than the 60 s after which common load balancers drop an idle connection: it must be they who close first,
 * else a request meets a socket that this side has just closed. Node's default is 5 s.
 */
export const KEEP_ALIVE_TIMEOUT_MS = 65_000;

/** How often the first two are looked at. Node's default is 30 s, which makes 10 s up to 40. */
export const TIMEOUT_CHECKS_MS = 2_000;

/** Sets the three on a server. Streams that the server writes (SSE) are not bound by them. */
export function applyServerTimeouts(server: Server): void {
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT_MS;
}
