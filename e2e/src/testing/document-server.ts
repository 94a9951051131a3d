import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { AddressInfo } from 'node:net';
import { selfSignedCertificate } from '@perdure/testkit';

interface Document {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
  /** Takes the request and never answers. */
  readonly hangs?: boolean;
}

/** An https server on loopback with client metadata documents, which counts who comes. */
export interface DocumentServer {
  readonly port: number;
  /** For NODE_EXTRA_CA_CERTS of a process that is to trust it. */
  readonly caFile: string;
  readonly serve: (path: string, document: Document) => string;
  readonly connections: () => number;
  readonly requests: () => readonly string[];
  readonly close: () => Promise<void>;
}

export async function documentServer(): Promise<DocumentServer> {
  const folder = mkdtempSync(path.join(tmpdir(), 'perdure-documents-'));
  const { cert, key } = selfSignedCertificate();
  const caFile = path.join(folder, 'ca.pem');
  writeFileSync(caFile, cert);
  const documents = new Map<string, Document>();
  const requests: string[] = [];
  let connections = 0;
  const server = createServer({ cert, key }, (request, response) => {
    const asked = request.url ?? '';
    requests.push(asked);
    const { status = 200, headers = {}, body, hangs = false } = documents.get(asked) ?? { status: 404, body: '' };
    if (hangs) return;
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  });
  server.on('connection', () => (connections += 1));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // a listening TCP server has one
  return {
    port,
    caFile,
    serve: (where, document) => {
      documents.set(where, document);
      return `https://localhost:${port}${where}`;
    },
    connections: () => connections,
    requests: () => requests,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      rmSync(folder, { recursive: true });
    },
  };
}
