import type { RequestHandler } from 'express';
import type { Addresses } from '../addresses.js';

/**
 * Makes the library see the address that clients see, from configuration: behind a proxy the request itself shows an
 * inner host, plain http and a path that may have been cut. Whatever forwarding headers came with it are replaced, so a
 * forged one has no effect.
 */
export function asPublicRequest({ issuer, basePath }: Addresses): RequestHandler {
  const { protocol, host } = new URL(issuer);
  return (request, _response, next) => {
    request.headers['x-forwarded-proto'] = protocol.slice(0, -1);
    request.headers['x-forwarded-host'] = host;
    request.originalUrl = basePath + request.url;
    next();
  };
}
