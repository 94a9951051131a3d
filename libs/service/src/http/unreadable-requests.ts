import { STATUS_CODES, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { DomainError } from '@perdure/contracts';

/** Node's own limit for the first line and the headers of a request (`--max-http-header-size`). */
const HEAD_LIMIT = '16 kB';

/**
 * Answers what is refused before any handler sees it in the same form as every other refusal. Node alone would send a
 * status and no word: an address with a long text in its query is the usual cause.
 */
export function answerUnreadableRequests(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const refusal = refusalOf(error.code);
    if (refusal === null || !socket.writable) socket.destroy();
    else send(socket, refusal);
  });
}

/** Null for a client that has gone, or that was too slow: it reads no answer. */
function refusalOf(code: string | undefined): DomainError | null {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new DomainError(
      'too_large',
      `Address and headers of a request may have ${HEAD_LIMIT}.`,
      {},
      'Send long texts in a body: tRPC takes queries by POST, MCP takes everything there.',
    );
  }
  return code?.startsWith('HPE_') === true ? new DomainError('invalid_input', 'The request is no HTTP/1.1.') : null;
}

function send(socket: Duplex, refusal: DomainError): void {
  const body = JSON.stringify({ error: refusal.toBody() });
  const head = [
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status] ?? ''}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
