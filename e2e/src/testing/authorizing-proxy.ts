import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request of a client that went through, and what it was answered. */
export interface SeenExchange {
  /** The body of the request, as text. */
  readonly asked: string;
  readonly status: number;
  readonly answered: string;
}

export interface AuthorizingProxy {
  readonly url: string;
  readonly seen: readonly SeenExchange[];
  readonly close: () => Promise<void>;
}

/**
 * Lends a credential to a program that knows none: every request goes on as it came, `Host` and `Origin` included, with an
 * `Authorization` besides. Remembers what was said.
 */
export async function authorizingProxy(target: string, token: string): Promise<AuthorizingProxy> {
  const seen: SeenExchange[] = [];
  const server = createServer((incoming, outgoing) => {
    void forward(incoming, outgoing, { target, token, seen }).catch(() => outgoing.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // a listening TCP server has one
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

interface Route {
  readonly target: string;
  readonly token: string;
  readonly seen: SeenExchange[];
}

async function forward(incoming: IncomingMessage, outgoing: ServerResponse, { target, token, seen }: Route) {
  const asked = await textOf(incoming);
  const { 'transfer-encoding': _chunked, ...headers } = incoming.headers;
  const length = asked === '' ? {} : { 'content-length': Buffer.byteLength(asked) };
  const upstream = httpRequest(`${target}${incoming.url ?? ''}`, {
    method: incoming.method ?? 'GET',
    headers: { ...headers, ...length, authorization: `Bearer ${token}` },
  });
  outgoing.once('close', () => upstream.destroy());
  upstream.once('error', () => outgoing.destroy());
  upstream.end(asked);
  const [answer] = (await once(upstream, 'response')) as [IncomingMessage]; // as `response` is emitted
  outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
  // An event stream says nothing for a while, and its client waits for the headers.
  outgoing.flushHeaders();
  let answered = '';
  answer.setEncoding('utf8');
  answer.on('data', (chunk: string) => {
    answered += chunk;
    outgoing.write(chunk);
  });
  answer.once('close', () => {
    seen.push({ asked, status: answer.statusCode ?? 0, answered });
    outgoing.end();
  });
}

async function textOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer); // no encoding is set
  return Buffer.concat(chunks).toString('utf8');
}
