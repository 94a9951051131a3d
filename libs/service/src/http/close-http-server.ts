import type { Server } from 'node:http';

/**
 * Stops accepting, drops idle connections at once, lets requests in flight finish, and destroys what is left after
 * `deadlineMs`. Resolves with whether everything finished by itself.
 */
export async function closeHttpServer(server: Server, deadlineMs: number): Promise<boolean> {
  if (!server.listening) return true;
  let finished = true;
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  server.closeIdleConnections();
  // A kept-alive connection turns idle when its last request ends; Node does not close it for us then.
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  const deadline = setTimeout(() => {
    finished = false;
    server.closeAllConnections();
  }, deadlineMs);
  await closed;
  clearInterval(idle);
  clearTimeout(deadline);
  return finished;
}
