import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { DomainError } from '@perdure/contracts';
import express, { type RequestHandler } from 'express';
import { RefusedKey } from './refused-key.js';
import { MAX_JSON_DEPTH, scanJson, type KeyProblem } from './scan-json.js';

/** 512 kB (OPERATIONS, head): four times the largest text, 32,000 code points of four bytes, for escapes and company. */
export const BODY_LIMIT_BYTES = 512 * 1024;

/**
 * Reads `application/json` in UTF-8 into `request.body`, of any JSON type. Refuses before anything else looks at it:
 * a body too large, of another type, compressed (a bomb has no use here), not UTF-8 (it would be stored as U+FFFD), not
 * JSON, missing, nested so deep that walking it would exhaust the stack, or with a key that two readers may read
 * differently. Passes a DomainError to `next`; a RefusedKey when the body was read and that is all that is wrong with it.
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
      const badKey = badKeys.get(request);
      next(badKey === undefined ? undefined : new RefusedKey(badKey));
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
      return unreadable('The body is not JSON.');
    case 'request.aborted':
    case 'request.size.invalid':
      return unreadable('The body ended before the length it was announced with.');
    case EMPTY:
      return noBody();
    case NOT_UTF8:
      return unreadable('The body is not valid UTF-8.');
    case TOO_DEEP:
      return new DomainError('invalid_input', `The body is nested more than ${MAX_JSON_DEPTH} levels deep.`);
    default:
      return error;
  }
}

/** Told only of a body that is JSON: what cannot be parsed is refused for that. */
const badKeys = new WeakMap<IncomingMessage, KeyProblem>();

/** No field can be named in what cannot be read. */
const unreadable = (message: string) =>
  new DomainError('invalid_input', message, {}, 'Send one JSON document in UTF-8 as the body.');

const noBody = () => unreadable('The body is empty; JSON is expected.');

const EMPTY = 'perdure.empty';
const NOT_UTF8 = 'perdure.not-utf8';
const TOO_DEEP = 'perdure.too-deep';

/** Body-parser writes to the error that is thrown here, so it is a plain one with a type. */
function refuseBytes(request: IncomingMessage, _response: unknown, bytes: Buffer): void {
  // Body-parser itself reads an empty body as an empty object.
  if (bytes.length === 0) throw Object.assign(new Error('empty'), { type: EMPTY });
  if (!isUtf8(bytes)) throw Object.assign(new Error('not UTF-8'), { type: NOT_UTF8 });
  const { depth, badKey } = scanJson(bytes, MAX_JSON_DEPTH);
  if (depth > MAX_JSON_DEPTH) throw Object.assign(new Error('too deep'), { type: TOO_DEEP });
  if (badKey !== null) badKeys.set(request, badKey);
}
