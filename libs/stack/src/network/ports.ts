import net from 'node:net';
import { errorCode } from '../error-code.js';

const LOOPBACK = '127.0.0.1';

/** Somebody else listens on the port. `message` is a sentence for a terminal. */
export class PortInUseError extends Error {
  constructor(
    readonly port: number,
    readonly service: string,
  ) {
    super(`Port ${port} (${service}) is in use by another process.`);
    this.name = 'PortInUseError';
  }
}

/** A port nobody listens on at this moment. Another process may take it before the caller does. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = net.createServer();
    server.once('error', reject);
    server.listen(0, LOOPBACK, () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}

/** Tries to listen on the loopback address. Rejects for any other reason than a taken port, such as a reserved one. */
export function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = net.createServer();
    server.once('error', (error) => (errorCode(error) === 'EADDRINUSE' ? resolve(false) : reject(error)));
    server.listen(port, LOOPBACK, () => server.close(() => resolve(true)));
  });
}
