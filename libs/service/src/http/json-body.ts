import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { DomainError } from '@perdure/contracts';
import express, { type RequestHandler } from 'express';

/** 512 kB (OPERATIONS, head): four times the largest text, 32,000 code points of four bytes, for escapes and company. */
export const BODY_LIMIT_BYTES = 512 * 1024;

/** The text gate of the operations allows 32 levels; a transport wraps a few of its own around them. */
const MAX_DEPTH = 64;

/**
 * Reads `application/json` in UTF-8 into `request.body`, of any JSON type. Refuses before anything else looks at it:
 * a body too large, of another type, compressed (a bomb has no use here), not UTF-8 (it would be stored as U+FFFD), not
 * JSON, missing, or nested so deep that walking it would exhaust the stack. Passes a DomainError to `next`.
 */
export function jsonBody(limitBytes: number = BODY_LIMIT_BYTES): RequestHandler {
  const read = express.json({
    limit: limitBytes,
    strict: false,
    inflate: false,
    type: () => true,
    verify: refuseBytes,
  });
  return (request, response, next) => {
    if (!isJson(request)) return next(new DomainError('unsupported', 'The body must be application/json in UTF-8.'));
    read(request, response, (error: unknown) => {
      if (error !== undefined) return next(refusalOf(error, limitBytes));
      if (request.body === undefined) return next(noBody());
      next();
    });
  };
}

function isJson({ headers }: IncomingMessage): boolean {
  const [type = '', ...parameters] = (headers['content-type'] ?? '').toLowerCase().split(';');
  if (type.trim() !== 'application/json') return false;
  const charset = parameters.map((parameter) => parameter.trim()).find((parameter) => parameter.startsWith('charset='));
  return charset === undefined || /^charset="?utf-?8"?$/.test(charset);
}

/** Body-parser marks every failure with a `type`; its messages may quote the body, so none is passed on. */
function refusalOf(error: unknown, limitBytes: number): unknown {
  const type = error instanceof Error && 'type' in error ? error.type : undefined;
  switch (type) {
    case 'entity.too.large':
      return new DomainError('too_large', `The body is larger than ${limitBytes / 1024} kB.`, {
        limit_bytes: limitBytes,
      });
    case 'encoding.unsupported':
    case 'charset.unsupported':
      return new DomainError('unsupported', 'The body must be uncompressed application/json in UTF-8.');
    case 'entity.parse.failed':
      return new DomainError('invalid_input', 'The body is not JSON.');
    case 'request.aborted':
    case 'request.size.invalid':
      return new DomainError('invalid_input', 'The body ended before the length it was announced with.');
    case EMPTY:
      return noBody();
    case NOT_UTF8:
      return new DomainError('invalid_input', 'The body is not valid UTF-8.');
    case TOO_DEEP:
      return new DomainError('invalid_input', `The body is nested more than ${MAX_DEPTH} levels deep.`);
    default:
      return error;
  }
}

const noBody = () => new DomainError('invalid_input', 'The body is empty; JSON is expected.');

const EMPTY = 'perdure.empty';
const NOT_UTF8 = 'perdure.not-utf8';
const TOO_DEEP = 'perdure.too-deep';

/** Body-parser writes to the error that is thrown here, so it is a plain one with a type. */
function refuseBytes(_request: IncomingMessage, _response: unknown, bytes: Buffer): void {
  // Body-parser itself reads an empty body as an empty object.
  if (bytes.length === 0) throw Object.assign(new Error('empty'), { type: EMPTY });
  if (!isUtf8(bytes)) throw Object.assign(new Error('not UTF-8'), { type: NOT_UTF8 });
  if (depthOf(bytes) > MAX_DEPTH) throw Object.assign(new Error('too deep'), { type: TOO_DEEP });
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

/** Deepest nesting of brackets outside strings. In UTF-8 no byte of a longer character looks like one of these. */
function depthOf(bytes: Buffer): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index] ?? 0;
    if (inString && byte === BACKSLASH) index += 1;
    else if (byte === QUOTE) inString = !inString;
    else if (!inString && OPENING.has(byte)) deepest = Math.max(deepest, (depth += 1));
    else if (!inString && CLOSING.has(byte)) depth -= 1;
  }
  return deepest;
}
