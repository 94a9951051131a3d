import { createServer } from 'node:http';
import { once } from 'node:events';
import express from 'express';
import request from 'supertest';
import { closeHttpServer } from '../http/close-http-server.js';
import { ListenError, portOf } from '../http/listen.js';
import { Metrics } from '../metrics/metrics.js';
import { healthRouter, type HealthOptions } from './health-router.js';
import { startHealthServer } from './health-server.js';

const appWith = (options: HealthOptions) => express().use(healthRouter(options));

describe('health', () => {
  it('O1: /healthz answers without running any readiness check', async () => {
    let asked = 0;
    const app = appWith({ ready: [{ name: 'postgres', check: () => ({ ok: (asked += 1) > 0 }) }] });
    const response = await request(app).get('/healthz');
    expect([response.status, response.body, asked]).toEqual([200, { status: 'ok' }, 0]);
  });

  it('O1: /healthz says why a worker should be restarted', async () => {
    const app = appWith({ live: () => ({ ok: false, detail: 'the oldest event waits 42 s' }), ready: [] });
    const response = await request(app).get('/healthz');
    expect(response.status).toBe(503);
    expect(response.body).toEqual({ status: 'failing', detail: 'the oldest event waits 42 s' });
  });

  it('O1: /readyz lists each check, and is 503 when one fails, throws or hangs', async () => {
    const app = appWith({
      ready: [
        { name: 'sound', check: () => ({ ok: true }) },
        { name: 'failing', check: () => ({ ok: false, detail: 'set it to noeviction' }) },
        { name: 'throwing', check: () => Promise.reject(new Error('connect ECONNREFUSED 10.1.2.3:5432')) },
        { name: 'hanging', check: () => new Promise(() => undefined) },
      ],
    });
    const response = await request(app).get('/readyz');
    expect(response.status).toBe(503);
    expect(response.body).toMatchObject({
      status: 'not_ready',
      checks: [
        { name: 'sound', ok: true },
        { name: 'failing', ok: false, detail: 'set it to noeviction' },
        { name: 'throwing', ok: false, detail: 'failed' },
        { name: 'hanging', ok: false, detail: 'no answer within 1000 ms' },
      ],
    });
    expect(response.text).not.toContain('10.1.2.3');
  });

  it('O1: many probes at once run the checks once', async () => {
    let asked = 0;
    const app = appWith({ ready: [{ name: 'postgres', check: () => ({ ok: (asked += 1) > 0 }) }] });
    const responses = await Promise.all([1, 2, 3].map(() => request(app).get('/readyz')));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(asked).toBe(1);
  });

  it('O5: /readyz is 503 from the moment of draining on, whatever was cached', async () => {
    let draining = false;
    const app = appWith({ ready: [{ name: 'sound', check: () => ({ ok: true }) }], isDraining: () => draining });
    expect((await request(app).get('/readyz')).status).toBe(200);
    draining = true;
    const response = await request(app).get('/readyz');
    expect([response.status, response.body]).toEqual([503, { status: 'draining', checks: [] }]);
    expect((await request(app).get('/healthz')).status).toBe(200);
  });

  it('serves a worker: health, metrics and nothing else', async () => {
    const metrics = new Metrics('audit-writer');
    metrics.counter({ name: 'linked_total', help: 'Entries linked.' }).inc(3);
    const server = await startHealthServer({ host: '127.0.0.1', port: 0, ready: [], metrics });
    const base = `http://127.0.0.1:${portOf(server)}`;
    expect((await fetch(`${base}/readyz`)).status).toBe(200);
    expect(await (await fetch(`${base}/metrics`)).text()).toContain('perdure_linked_total{app="audit-writer"} 3');
    const other = await fetch(`${base}/other`);
    expect([other.status, await other.json(), other.headers.get('x-powered-by')]).toEqual([
      404,
      { status: 'not_found' },
      null,
    ]);
    expect(await closeHttpServer(server, 1000)).toBe(true);
  });

  it('O1: a taken port is an error that says what to do', async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    const port = portOf(holder);
    const start = startHealthServer({ host: '127.0.0.1', port, ready: [] });
    await expect(start).rejects.toThrow(ListenError);
    await expect(start).rejects.toThrow(`port ${port} of 127.0.0.1 is taken by another process`);
    holder.close();
  });
});
