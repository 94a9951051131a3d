import { documentRoutes } from '@perdure/rest';
import type { OpenedAuthorization } from '@perdure/runtime';
import {
  belowBasePath,
  browserGuard,
  limitAddresses,
  logFieldsOf,
  requestContext,
  type BrowserGuardOptions,
  type ProcessContext,
  type RequestLogFields,
} from '@perdure/service';
import express, { type Express, type Router } from 'express';
import helmet from 'helmet';
import { errorAnswers, notFound } from './error-answers.js';
import { restEntry } from './rest-entry.js';
import { trpcRoutes, type TrpcOptions } from './trpc-routes.js';

export interface ApiOptions extends Omit<TrpcOptions, 'onError'>, BrowserGuardOptions {
  readonly health: Router;
  readonly logger: ProcessContext['logger'];
  /** Of the product, as the OpenAPI document names it. */
  readonly version: string;
  /** Sign-in and MCP authorization; null where the installation does not know its own address. */
  readonly authorization: OpenedAuthorization | null;
  readonly publicUrl: string | null;
  readonly trustedProxies: readonly string[];
}

const DOCS = '/v1/docs';

const CORS = {
  methods: 'GET, POST, PUT, PATCH, DELETE',
  requestHeaders: 'Authorization, Content-Type, Accept, Idempotency-Key, X-Request-Id, Trpc-Accept',
  exposedHeaders: 'Idempotent-Replayed, X-Request-Id, Retry-After, RateLimit, RateLimit-Policy, Content-Disposition',
};

/** The API as an Express application. Each way in is a router of its own: the dashboard joins here. */
export function createApiApp(options: ApiOptions): Express {
  const {
    health,
    logger,
    version,
    authorization,
    publicUrl,
    trustedProxies,
    allowedOrigins,
    hostNames,
    ...operations
  } = options;
  const report = (error: unknown, fields?: RequestLogFields) =>
    logger.error({ err: error, ...fields }, 'a request failed');
  const app = express().disable('x-powered-by').disable('etag').set('trust proxy', trustedProxies);
  app.use(helmet(), requestContext(logger), belowBasePath(publicUrl), health);
  app.use(['/oauth', '/sign-in'], limitAddresses(operations.limits));
  if (authorization !== null) app.use(authorization.routes);
  // For a person who typed the address; one who is signed in was sent to their account before.
  app.get('/', (_request, response) => response.redirect(302, `${publicUrl ?? ''}${DOCS}`));
  app.use(['/trpc', '/v1'], browserGuard({ allowedOrigins, hostNames }, CORS));
  app.use('/trpc', trpcRoutes({ ...operations, onError: report }));
  app.use('/v1', documentRoutes(version), restEntry(operations));
  app.use(
    notFound,
    errorAnswers((error, response) => report(error, logFieldsOf(response))),
  );
  return app;
}
