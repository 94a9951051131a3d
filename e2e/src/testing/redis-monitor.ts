import { once } from 'node:events';
import { connect } from 'node:net';

export interface RedisMonitor {
  /** Every command the server was sent since, with its arguments. */
  readonly commands: () => string;
  readonly close: () => void;
}

/** Listens to everything that anybody sends to a Redis: what is gone from it again would not be found by its keys. */
export async function monitorRedis(url: string): Promise<RedisMonitor> {
  const { hostname, port, password } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  let seen = '';
  const listening = new Promise<void>((resolve) => {
    socket.on('data', (chunk: Buffer) => {
      seen += chunk.toString('latin1');
      // One answer to AUTH, one to MONITOR.
      if (/^\+OK\r\n\+OK\r\n/.test(seen)) resolve();
    });
  });
  socket.write(`AUTH ${decodeURIComponent(password)}\r\nMONITOR\r\n`);
  await listening;
  return { commands: () => seen, close: () => socket.destroy() };
}
