import { createGunzip } from 'node:zlib';
import type { Readable } from 'node:stream';
import { DomainError, type OperationContract } from '@perdure/contracts';
import type { Request } from 'express';

const NDJSON = new Set(['application/x-ndjson', 'application/ndjson', 'application/jsonl']);

/** Each holds a transaction while it sends; more of them would leave the pool nothing for calls. */
const UPLOADS_AT_ONCE = 4;

/** True when the body is to be read line by line, which its operation must have a way for. */
export function sendsLines(request: Request, { route }: OperationContract): boolean {
  const [type = ''] = (request.headers['content-type'] ?? '').toLowerCase().split(';');
  return route.lines !== undefined && NDJSON.has(type.trim());
}

/** Bodies that are read while their call lasts: a bounded number at once. */
export class BodyLines {
  private open = 0;

  /**
   * Gives the unpacked bytes of a body to a call as they arrive.
   *
   * @throws DomainError `rate_limited` when too many are on their way, `unsupported` for another encoding than gzip,
   *   `too_large` for a body that says so; while they are read `invalid_input` for one that breaks off or is no gzip
   */
  async during<Result>(
    request: Request,
    limitBytes: number,
    call: (lines: AsyncIterable<Uint8Array>) => Promise<Result>,
  ): Promise<Result> {
    if (Number(request.headers['content-length'] ?? 0) > limitBytes) throw tooLarge(limitBytes);
    if (this.open >= UPLOADS_AT_ONCE) throw tooMany();
    const bytes = unpacked(request);
    this.open += 1;
    try {
      return await call(readable(bytes));
    } finally {
      this.open -= 1;
      if (bytes !== request) {
        request.unpipe();
        bytes.destroy();
      }
      // What an answer came without: the connection can only go on when it is gone.
      request.resume();
    }
  }
}

function unpacked(request: Request): Readable {
  const encoding = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity') return request;
  if (encoding !== 'gzip') throw new DomainError('unsupported', 'The body may be gzipped, not otherwise encoded.');
  // No pipeline: it would take the connection away together with what unpacks, before the refusal was sent.
  const gunzip = createGunzip();
  gunzip.on('error', () => undefined); // told to the reader, who may have gone
  request.once('error', (error) => gunzip.destroy(error));
  request.once('close', () => {
    if (!request.complete) gunzip.destroy(new Error('the body broke off'));
  });
  return request.pipe(gunzip);
}

/** The messages of streams quote nothing, but say nothing to a caller either. */
async function* readable(stream: Readable): AsyncGenerator<Uint8Array> {
  const chunks = stream.iterator({ destroyOnReturn: false });
  for (;;) {
    const next = await chunks.next().catch(() => {
      throw new DomainError('invalid_input', 'The body broke off or is no sound gzip.', {}, 'Send the batch again.');
    });
    if (next.done === true) return;
    yield next.value as Uint8Array; // a stream of bytes, no encoding was set
  }
}

const tooLarge = (limitBytes: number) =>
  new DomainError('too_large', `The body is larger than ${limitBytes / 1024 / 1024} MiB.`, { limit_bytes: limitBytes });

const tooMany = () =>
  new DomainError('rate_limited', 'Too many batches are being sent to this server.', { retry_after_seconds: 1 });
