import { once } from 'node:events';
import { createConnection, createServer, type Server, type Socket } from 'node:net';

/** A door in front of a server: shut, it refuses connections and cuts those that exist, like a server that is down. */
export interface TcpGate {
  /** The url through the gate. */
  url: string;
  open(): Promise<void>;
  shut(): Promise<void>;
}

/** A gate on a port of its own that leads to the host and port of `url`; shut at first. */
export async function tcpGate(url: string): Promise<TcpGate> {
  const behind = new URL(url);
  const target = { host: behind.hostname, port: Number(behind.port) };
  const through = new URL(url);
  through.host = `127.0.0.1:${await unusedPort()}`;
  const sockets = new Set<Socket>();
  let server: Server | null = null;
  const track = (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    return socket;
  };
  return {
    url: through.toString(),
    async open() {
      server = createServer((near) => {
        const far = track(createConnection(target));
        track(near).pipe(far).pipe(near);
        near.on('close', () => far.destroy());
        far.on('close', () => near.destroy());
      });
      server.listen(Number(through.port), '127.0.0.1');
      await once(server, 'listening');
    },
    async shut() {
      if (!server) return;
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
      server = null;
    },
  };
}

async function unusedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('a listening server has a port');
  return address.port;
}
