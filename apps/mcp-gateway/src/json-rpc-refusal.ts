import { DomainError, errorBodyOf, type ErrorBody, type ErrorKind } from '@perdure/contracts';
import type { ErrorRequestHandler, Response } from 'express';

type MessageId = string | number | null;

/** JSON-RPC codes for what is refused before the protocol begins; -32000 and -32001 are the server's own range. */
const CODES: Partial<Record<ErrorKind, number>> = {
  invalid_input: -32700,
  unauthenticated: -32001,
  too_large: -32600,
  internal: -32603,
  unavailable: -32603,
};
const OTHER_CODE = -32000;

/** A refusal with a JSON-RPC code of its own; `cause` gives status and body. */
export class JsonRpcRefusal extends Error {
  constructor(
    readonly code: number,
    override readonly cause: DomainError,
    readonly id: MessageId = null,
  ) {
    super(cause.message);
  }
}

/** The id of a JSON-RPC request, to be echoed; null where there is none to be read. */
export function messageId(body: unknown): MessageId {
  if (typeof body !== 'object' || body === null || !('id' in body)) return null;
  return typeof body.id === 'string' || typeof body.id === 'number' ? body.id : null;
}

export function sendJsonRpcError(
  response: Response,
  status: number,
  code: number,
  body: ErrorBody,
  id: MessageId = null,
) {
  response.status(status).json({ jsonrpc: '2.0', id, error: { code, message: body.message, data: body } });
}

/** Everything refused at `/mcp` outside the protocol: JSON-RPC with our error body as its data, never HTML or a stack. */
export function jsonRpcErrors(report: (error: unknown, response: Response) => void): ErrorRequestHandler {
  return (error: unknown, _request, response, next) => {
    if (response.headersSent) return next(error);
    const refusal = error instanceof JsonRpcRefusal ? error.cause : error;
    if (!(refusal instanceof DomainError)) report(error, response);
    const body = errorBodyOf(refusal);
    const status = refusal instanceof DomainError ? refusal.status : 500;
    if (error instanceof JsonRpcRefusal) return sendJsonRpcError(response, status, error.code, body, error.id);
    sendJsonRpcError(response, status, CODES[body.kind] ?? OTHER_CODE, body);
  };
}
