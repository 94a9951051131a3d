import { connect } from 'node:net';

/** Where a connection leads, and what its server gave it to be cancelled by; node-postgres' client has all four. */
export interface Cancellable {
  readonly host: string;
  readonly port: number;
  /** Of the server process; null before the connection is made. */
  readonly processID: number | null;
  readonly secretKey: number | null;
}

/** PostgreSQL documentation, Message Formats, CancelRequest. */
const CANCEL_REQUEST_CODE = 80_877_102;
const LENGTH = 16;

/** A server that does not answer is left alone: its statement ends by its own limits. */
const PATIENCE_MS = 2_000;

/**
 * Asks the server to end what a connection is running, over a connection of its own as the protocol wants it
 * (PostgreSQL documentation, Canceling Requests in Progress); poolers hand it on. Nothing tells whether it came in time.
 * Resolves when the server has taken note, or could not be reached.
 */
function cancelStatement({ host, port, processID, secretKey }: Cancellable): Promise<void> {
  if (processID === null || secretKey === null) return Promise.resolve();
  const request = Buffer.alloc(LENGTH);
  [LENGTH, CANCEL_REQUEST_CODE, processID, secretKey].forEach((word, index) => request.writeInt32BE(word, index * 4));
  return new Promise((resolve) => {
    const where = host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port };
    const socket = connect(where, () => socket.end(request));
    socket.setTimeout(PATIENCE_MS, () => socket.destroy());
    socket.once('error', () => undefined);
    socket.once('close', () => resolve());
    socket.resume();
  });
}

/**
 * Cancels what the connection runs as soon as the signal is aborted.
 * @returns ends the watch; resolves when a cancellation that was sent can no longer reach what comes after
 */
export function cancelOnAbort(connection: Cancellable, signal: AbortSignal | undefined): () => Promise<void> {
  let sent = Promise.resolve();
  const send = () => {
    sent = cancelStatement(connection);
  };
  signal?.addEventListener('abort', send, { once: true });
  return () => {
    signal?.removeEventListener('abort', send);
    return sent;
  };
}
