import { ERROR_CODES, ERROR_KINDS, type ErrorCode, type JsonSchema, type OperationContract } from '@perdure/contracts';

/** The refusals of one operation under one HTTP status. */
interface Refusals {
  readonly status: number;
  readonly codes: readonly ErrorCode[];
}

/** What any call can be refused with, whatever the operation. */
const EVERYWHERE: readonly ErrorCode[] = ['invalid_input', 'unauthenticated', 'unavailable', 'internal'];

/** Every code that a call of this operation over HTTP can be refused with: its own and those of the way there. */
function codesOf({ errors, scope, route, kind, area }: OperationContract): ErrorCode[] {
  const ofTransport: ErrorCode[] = [
    ...EVERYWHERE,
    ...(scope === 'any' ? [] : (['forbidden_scope'] as const)),
    ...(route.method === 'GET' ? [] : (['too_large', 'unsupported'] as const)),
    ...(kind === 'mutation' ? (['idempotency_mismatch'] as const) : []),
    ...(kind === 'mutation' && area !== 'platform' ? (['workspace_suspended', 'quota_exceeded'] as const) : []),
  ];
  return [...new Set([...ofTransport, ...errors])];
}

const statusOf = (code: ErrorCode): number => ERROR_KINDS[ERROR_CODES[code].kind];

function refusalsByStatus(codes: readonly ErrorCode[]): Refusals[] {
  const statuses = [...new Set(codes.map(statusOf))].toSorted((one, other) => one - other);
  return statuses.map((status) => ({ status, codes: codes.filter((code) => statusOf(code) === status) }));
}

/** 200, 201 or both, or 202. One that does not look at the answer creates a row whenever it succeeds. */
export function successStatuses({ accepted, creates }: OperationContract['route']): number[] {
  if (accepted === true) return [202];
  if (creates === undefined) return [200];
  return creates.length === 0 ? [201] : [200, 201];
}

const SUCCESSES: Readonly<Record<number, string>> = { 200: 'Done.', 201: 'Created.', 202: 'Safe, and done soon.' };

const REPLAYED = { 'Idempotent-Replayed': { $ref: '#/components/headers/IdempotentReplayed' } };

/** A file comes as bytes, and its answer as JSON when it is a replay, which has no file. */
function contentOf({ route }: OperationContract, answer: unknown): JsonSchema {
  if (route.stream) return { [route.stream.mediaType]: { schema: { type: 'string' } } };
  const json = { 'application/json': { schema: answer } };
  if (route.download) return { [route.download.mediaType]: { schema: { type: 'string', format: 'binary' } }, ...json };
  return json;
}

/** The `responses` of an operation: its answer, and its refusals by status with their codes. */
export function responsesOf(contract: OperationContract, answer: unknown): JsonSchema {
  const { route, kind } = contract;
  const content = contentOf(contract, answer);
  const headers = kind === 'mutation' ? { headers: REPLAYED } : {};
  const successes = successStatuses(route).map((status) => [
    status,
    { description: SUCCESSES[status], ...headers, content },
  ]);
  const refusals = refusalsByStatus(codesOf(contract)).map(({ status, codes }) => [
    status,
    {
      description: codes.map((code) => `\`${code}\`: ${ERROR_CODES[code].hint}`).join('\n\n'),
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      'x-perdure-codes': codes,
    },
  ]);
  return Object.fromEntries([...successes, ...refusals]);
}
