import { createServer, type RequestListener, type Server } from 'node:http';
import { applyServerTimeouts, TIMEOUT_CHECKS_MS } from './server-timeouts.js';
import { answerUnreadableRequests } from './unreadable-requests.js';

export interface ListenAddress {
  host: string;
  /** 0 lets the system choose. */
  port: number;
}

/** The address cannot be listened on; the message says what to do about it. */
export class ListenError extends Error {
  constructor(message: string, options: { cause: unknown }) {
    super(message, options);
    this.name = 'ListenError';
  }
}

/** Serves `handler` with the product's timeouts and refusals once the port is open. Throws a ListenError. */
export async function listen(handler: RequestListener, address: ListenAddress): Promise<Server> {
  const server = createServer({ connectionsCheckingInterval: TIMEOUT_CHECKS_MS }, handler);
  applyServerTimeouts(server);
  answerUnreadableRequests(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(readable(error, address)));
    server.listen(address.port, address.host, resolve);
  });
  return server;
}

/** The port that a listening server got. */
export function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server does not listen on a port');
  return address.port;
}

function readable(cause: NodeJS.ErrnoException, { host, port }: ListenAddress): Error {
  const where = `port ${port} of ${host}`;
  const reasons: Record<string, string> = {
    EADDRINUSE: `${where} is taken by another process: stop it or set PERDURE_HTTP_PORT`,
    EACCES: `${where} may not be used by this user: set PERDURE_HTTP_PORT to 1024 or more`,
    EADDRNOTAVAIL: `${host} is no address of this machine: set PERDURE_HTTP_HOST`,
    ENOTFOUND: `${host} is no known host name: set PERDURE_HTTP_HOST`,
  };
  return new ListenError(reasons[cause.code ?? ''] ?? `${where} cannot be listened on: ${cause.message}`, { cause });
}
