import { DomainError } from '@perdure/contracts';
import type { RequestHandler } from 'express';

/**
 * Lets pages of any origin read the answer, and answers preflights: MCP clients that run in a browser discover, register
 * and fetch tokens across origins. None of these endpoints looks at a cookie, so nothing of a signed-in person is at stake.
 */
export const openToPages =
  (method: 'GET' | 'POST'): RequestHandler =>
  (request, response, next) => {
    response.set({
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'WWW-Authenticate, X-Request-Id, Retry-After',
      'cross-origin-resource-policy': 'cross-origin',
    });
    if (request.method === method || (method === 'GET' && request.method === 'HEAD')) return next();
    if (request.method !== 'OPTIONS') {
      const refusal = new DomainError('unsupported', `This endpoint takes ${method} only.`, { allow: [method] });
      return void response.status(405).set('allow', method).json({ error: refusal.toBody() });
    }
    response.set({
      'access-control-allow-methods': method,
      'access-control-allow-headers': 'Authorization, Content-Type, Accept, Mcp-Protocol-Version, X-Request-Id',
      'access-control-max-age': '600',
    });
    response.status(204).end();
  };
