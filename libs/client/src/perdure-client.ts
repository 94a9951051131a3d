import type { AppRouter } from '@perdure/trpc';
import { createTRPCClient, httpLink, type TRPCClient, type TRPCLink } from '@trpc/client';
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import { observable } from '@trpc/server/observable';
import { baseOf, requireToken, type PerdureConnection } from './connection.js';
import { ForeignAnswer, perdureErrorOf } from './perdure-error.js';

export interface PerdureClientOptions extends PerdureConnection {
  /** Longest wait for an answer, in milliseconds; default 30,000. */
  readonly timeoutMs?: number;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch;
}

/** Every operation as `client.<area>.<operation>.query(…)` or `.mutate(…)`. */
export type PerdureClient = TRPCClient<AppRouter>;

/** Arguments and answers by area and operation: `PerdureOutputs['sessions']['startBuildSession']`. */
export type PerdureInputs = inferRouterInputs<AppRouter>;
export type PerdureOutputs = inferRouterOutputs<AppRouter>;

/**
 * A typed client of the tRPC API. Each call is one request, so that one refusal is one status, and goes by POST, so that
 * queries may carry more than an address can. Redirects are not followed: the token stays with the server it is for.
 *
 * Calls throw PerdureError.
 *
 * @throws Error when url or token cannot be one; their values are in no message
 */
export function createPerdureClient({
  url,
  token,
  timeoutMs = 30_000,
  fetch: given,
}: PerdureClientOptions): PerdureClient {
  const base = baseOf(url);
  const authorization = `Bearer ${requireToken(token)}`;
  return createTRPCClient<AppRouter>({
    links: [
      ownErrors(new URL(base).origin),
      wholeInput,
      httpLink({
        url: `${base}/trpc`,
        methodOverride: 'POST',
        headers: { authorization },
        fetch: boundedFetch(given ?? fetch, timeoutMs),
      }),
    ],
  });
}

function boundedFetch(send: typeof fetch, timeoutMs: number): HTTPFetch {
  return async (address, init) => {
    const signals = [init?.signal ?? [], AbortSignal.timeout(timeoutMs)].flat();
    const request = init as RequestInit; // tRPC's type names the part of it that it sets
    const response = await send(String(address), { ...request, redirect: 'error', signal: AbortSignal.any(signals) });
    const { ok, status } = response;
    const json = (): Promise<unknown> =>
      response.json().catch((error: unknown) => {
        throw isSyntaxError(error) ? new ForeignAnswer(status) : error;
      });
    return { ok, status, json };
  };
}

type HTTPFetch = NonNullable<Parameters<typeof httpLink>[0]['fetch']>;

const isSyntaxError = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'name' in error && error.name === 'SyntaxError';

/**
 * Options of a mutation that may be sent again: the server answers a key that it has carried out within 24 hours with the
 * first answer and changes nothing (T4).
 *
 * @param key 1 to 200 characters, one for each thing to be done, kept until an answer has come
 */
export const idempotent = (key: string): { context: { idempotencyKey: string } } => ({
  context: { idempotencyKey: key },
});

/**
 * Every call has a body, also one without arguments. The idempotency key goes in it and not in a header, which would take no
 * key outside of Latin-1.
 */
const wholeInput: TRPCLink<AppRouter> =
  () =>
  ({ next, op }) => {
    const { idempotencyKey } = op.context;
    const key = op.type === 'mutation' && idempotencyKey !== undefined ? { idempotency_key: idempotencyKey } : {};
    return next({ ...op, input: { ...(op.input as object | undefined), ...key } }); // the input of every operation is an object
  };

const ownErrors =
  (origin: string): TRPCLink<AppRouter> =>
  () =>
  ({ next, op }) =>
    observable((observer) =>
      next(op).subscribe({
        next: (value) => observer.next(value),
        error: (thrown) => observer.error(perdureErrorOf(thrown, origin, op.signal?.aborted === true)),
        complete: () => observer.complete(),
      }),
    );
