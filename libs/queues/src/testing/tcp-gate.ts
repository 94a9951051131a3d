import { once } from 'node:events';
import { createConnection, createServer, type Server, type Socket } from 'node:net';

/** A door in front of a server: closed, it refuses connections and cuts those that exist, like a server that is down. */
export interface TcpGate {
  readonly port: number;
  open(): Promise<void>;
  shut(): Promise<void>;
}

/** Forwards `port` on loopback to the target once it is opened. */
export function tcpGate(port: number, target: { host: string; port: number }): TcpGate {
  const sockets = new Set<Socket>();
  let server: Server | null = null;
  const track = (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    return socket;
  };
  return {
    port,
    async open() {
      server = createServer((near) => {
        const far = track(createConnection(target));
        track(near).pipe(far).pipe(near);
        near.on('close', () => far.destroy());
        far.on('close', () => near.destroy());
      });
      server.listen(port, '127.0.0.1');
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
