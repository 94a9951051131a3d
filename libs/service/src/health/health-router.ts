import { Router } from 'express';
import { Readiness, type CheckOutcome, type ReadinessCheck } from './readiness.js';

export interface HealthOptions {
  /**
   * Whether the process itself still works, from what it already knows: it must not ask Postgres or Redis, because an
   * outage of those is no reason to restart this process.
   */
  live?: () => CheckOutcome;
  ready: readonly ReadinessCheck[];
  /** True once the process was told to stop: no new work should be sent to it. */
  isDraining?: () => boolean;
}

/** `GET /healthz` (200 or 503: restart me) and `GET /readyz` (200 or 503: send me work or not). */
export function healthRouter({ live, ready, isDraining }: HealthOptions): Router {
  const readiness = new Readiness(ready, isDraining);
  const router = Router();
  router.get('/healthz', (_request, response) => {
    const { ok, detail } = live?.() ?? { ok: true };
    response
      .set('cache-control', 'no-store')
      .status(ok ? 200 : 503)
      .json({ status: ok ? 'ok' : 'failing', ...(detail === undefined ? {} : { detail }) });
  });
  router.get('/readyz', async (_request, response) => {
    const report = await readiness.report();
    response
      .set('cache-control', 'no-store')
      .status(report.status === 'ready' ? 200 : 503)
      .json(report);
  });
  return router;
}
