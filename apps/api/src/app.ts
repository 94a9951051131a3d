import { requestContext, type ProcessContext } from '@perdure/service';
import express, { type Express, type Router } from 'express';
import helmet from 'helmet';
import { errorAnswers, notFound } from './error-answers.js';
import { trpcRoutes, type TrpcOptions } from './trpc-routes.js';

export interface ApiOptions extends Omit<TrpcOptions, 'onError'> {
  readonly health: Router;
  readonly logger: ProcessContext['logger'];
}

/** The API as an Express application. Each way in is a router of its own: REST and the dashboard join here. */
export function createApiApp({ health, logger, ...operations }: ApiOptions): Express {
  const report = (error: unknown) => logger.error({ err: error }, 'a request failed');
  const app = express().disable('x-powered-by').disable('etag');
  app.use(helmet(), requestContext(logger), health);
  app.use('/trpc', trpcRoutes({ ...operations, onError: report }));
  app.use(notFound, errorAnswers(report));
  return app;
}
