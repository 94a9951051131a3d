import { DomainError } from '@perdure/contracts';

/** SQLSTATE classes and codes under which the database cannot serve just now; the call changed nothing. */
const UNAVAILABLE = /^(08|57P0[1-4]|57014|53|55P03|25006|40001|40P01|58)/;
const INDEX_ROW_TOO_LARGE = '54000';
const NETWORK = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EHOSTUNREACH']);

/**
 * What node-postgres says without a code when a connection ends under a query or the pool has none in time, and TypeORM,
 * which releases the runner of such a connection, to the next query of the same call.
 */
const LOST_CONNECTION =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Query runner already released/;

interface DatabaseFailure {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly driverError?: unknown;
}

/**
 * The one translation of database failures into refusals. Anything not named here is a fault of ours and stays what
 * it is (shown as `internal`). The text of the database never reaches a caller: it may quote values.
 */
export function translatePostgresError(error: unknown): unknown {
  if (error instanceof DomainError || typeof error !== 'object' || error === null) return error;
  const failure: DatabaseFailure = error;
  const cause: DatabaseFailure =
    typeof failure.driverError === 'object' && failure.driverError !== null ? failure.driverError : failure;
  const code = typeof cause.code === 'string' ? cause.code : '';
  const message = typeof cause.message === 'string' ? cause.message : '';
  if (code === INDEX_ROW_TOO_LARGE) {
    return new DomainError(
      'invalid_input',
      'computer and branch together are too long to be a key; shorten one of them.',
    );
  }
  if (UNAVAILABLE.test(code) || NETWORK.has(code) || LOST_CONNECTION.test(message)) {
    return new DomainError('unavailable', 'The database cannot serve this call at the moment; nothing was written.');
  }
  return error;
}

/** Whether a write was refused by this unique constraint or index. */
export function violatesUnique(error: unknown, constraint: string): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const failure: DatabaseFailure & { readonly constraint?: unknown } = error;
  return failure.code === '23505' && failure.constraint === constraint;
}
