import type { RequestHandler } from 'express';

/**
 * Serves an installation under a path of its host (`https://example.com/perdure`) whether the proxy in front cuts that
 * path off or not: routes see what is below it.
 */
export function belowBasePath(publicUrl: string | null): RequestHandler {
  const basePath = publicUrl === null ? '' : new URL(publicUrl).pathname.replace(/\/+$/, '');
  return (request, _response, next) => {
    if (basePath !== '' && request.url.startsWith(`${basePath}/`)) request.url = request.url.slice(basePath.length);
    next();
  };
}
