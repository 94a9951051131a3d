import { Router, type RequestHandler } from 'express';
import { openApiDocument } from './openapi/openapi-document.js';
import { describeCatalogue } from './reference/describe-catalogue.js';
import { PAGE_POLICY, referencePage } from './reference/reference-page.js';

/** A deployment changes them and nothing else does. */
const FRESH = 'public, max-age=300';

/**
 * `/openapi.json` and `/docs`, to mount at `/v1` before authentication: both hold constants of the product alone.
 * @param version of the product
 */
export function documentRoutes(version: string): Router {
  const openApi = once(() => JSON.stringify(openApiDocument(version)));
  const page = once(() => referencePage(describeCatalogue(), version));
  const sendOpenApi: RequestHandler = (_request, response) => {
    response.set('cache-control', FRESH).type('application/json').send(openApi());
  };
  const sendPage: RequestHandler = (_request, response) => {
    response.set({ 'cache-control': FRESH, 'content-security-policy': PAGE_POLICY }).type('html').send(page());
  };
  return Router({ caseSensitive: true, strict: true }).get('/openapi.json', sendOpenApi).get('/docs', sendPage);
}

/** Computed when first asked for, a few hundred schemas, and kept. */
function once<Value>(compute: () => Value): () => Value {
  let kept: { value: Value } | null = null;
  return () => (kept ??= { value: compute() }).value;
}
