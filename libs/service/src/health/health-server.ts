import type { Server } from 'node:http';
import express from 'express';
import { listen, type ListenAddress } from '../http/listen.js';
import type { Metrics } from '../metrics/metrics.js';
import { healthRouter, type HealthOptions } from './health-router.js';

export interface HealthServerOptions extends ListenAddress, HealthOptions {
  /** When given, `GET /metrics` serves them. Bind the port to a private address then. */
  metrics?: Metrics;
}

/** The only HTTP of a worker. Throws a ListenError when the port cannot be had. */
export async function startHealthServer(options: HealthServerOptions): Promise<Server> {
  const app = express();
  app.disable('x-powered-by');
  app.use(healthRouter(options));
  const { metrics } = options;
  if (metrics) {
    app.get('/metrics', async (_request, response) => {
      response.set('content-type', metrics.contentType).send(await metrics.render());
    });
  }
  app.use((_request, response) => void response.status(404).json({ status: 'not_found' }));
  return listen(app, options);
}
