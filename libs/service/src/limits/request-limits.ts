import { DomainError, type Caller } from '@perdure/contracts';
import type { Request, RequestHandler, Response } from 'express';
import { callerOf } from '../http/caller-of.js';
import { addressKey } from './address-key.js';
import { Allowances, type Demand, type SharedCounts, type Standing } from './allowances.js';
import { WINDOW_MS } from './counter.js';

export interface RequestLimitOptions {
  readonly counts: SharedCounts;
  readonly onAway: (error: unknown, failures: number) => void;
  /** All a minute; null: no limit. That of a workspace is its quota and stands on the caller. */
  readonly perCredential: number | null;
  readonly failuresPerAddress: number | null;
  readonly requestsPerAddress: number | null;
}

/**
 * The limits of the edge (G6): of requests by credential and by workspace, and by address where nobody has proved yet who
 * they are. A valid credential is never refused for its address: many agents share one behind a proxy.
 */
export class RequestLimits {
  private readonly allowances: Allowances;

  constructor(private readonly options: RequestLimitOptions) {
    this.allowances = new Allowances(options);
  }

  /**
   * Counts a request of a known caller, and says in its headers what is left.
   *
   * @param cost how many calls it brings
   * @returns the refusal `rate_limited`, its headers set, or null
   */
  ofCaller(response: Response, cost = 1): Promise<DomainError | null> {
    return this.take(response, this.demandsOf(callerOf(response)), cost);
  }

  /** Counts an attempt with a token that is none. */
  ofFailure(request: Request, response: Response): Promise<DomainError | null> {
    return this.take(response, byAddress('failure', request, this.options.failuresPerAddress), 1);
  }

  /** Counts a request of somebody who need not say who they are. */
  ofAddress(request: Request, response: Response): Promise<DomainError | null> {
    return this.take(response, byAddress('open', request, this.options.requestsPerAddress), 1);
  }

  /** Tells the other processes what this one counted last. */
  close(): Promise<void> {
    return this.allowances.flush();
  }

  private demandsOf({ credentialId, workspaceId, requestsPerMinute }: Caller): Demand[] {
    const { perCredential } = this.options;
    const demands: Demand[] = [];
    if (perCredential !== null) demands.push({ name: 'credential', key: `c:${credentialId}`, limit: perCredential });
    if (requestsPerMinute !== undefined)
      demands.push({ name: 'workspace', key: `w:${workspaceId}`, limit: requestsPerMinute });
    return demands;
  }

  private async take(response: Response, demands: readonly Demand[], cost: number): Promise<DomainError | null> {
    if (demands.length === 0) return null;
    const { standings, refusedBy } = await this.allowances.take(demands, cost);
    response.set(
      'ratelimit-policy',
      listed(standings, ({ demand }) => `q=${demand.limit};w=${WINDOW_MS / 1000}`),
    );
    response.set(
      'ratelimit',
      listed(standings, (one) => `r=${one.remaining};t=${secondsUntil(one)}`),
    );
    if (refusedBy === null) return null;
    response.set('retry-after', String(secondsUntil(refusedBy)));
    return refusal(refusedBy, cost);
  }
}

/** A list of named policies, as draft-ietf-httpapi-ratelimit-headers-10 has them in sections 2 and 3. */
const listed = (standings: readonly Standing[], parameters: (standing: Standing) => string): string =>
  standings.map((standing) => `"${standing.demand.name}";${parameters(standing)}`).join(', ');

/** Never too early: rounded up. */
const secondsUntil = ({ resetsInMs }: Standing): number => Math.max(1, Math.ceil(resetsInMs / 1000));

function refusal(standing: Standing, cost: number): DomainError {
  const { name, limit } = standing.demand;
  const seconds = secondsUntil(standing);
  const details = { limit_of: name, limit, window_seconds: WINDOW_MS / 1000, retry_after_seconds: seconds };
  const message = `This ${name} may make ${limit} requests a minute; the next is served in ${seconds} s.`;
  if (cost <= limit || limit === 0) return new DomainError('rate_limited', message, details);
  return new DomainError('rate_limited', message, details, `Send at most ${limit} calls in one request.`);
}

function byAddress(kind: string, { ip }: Request, limit: number | null): Demand[] {
  // Without an address the connection is gone: a counter for all of those would be one that strangers share.
  return limit === null || ip === undefined ? [] : [{ name: 'address', key: `${kind}:${addressKey(ip)}`, limit }];
}

/** Each request of a known caller counts as one, or as many as `costOf` says. Refusals go to `next`. */
export function limitCallers(limits: RequestLimits, costOf: (request: Request) => number = () => 1): RequestHandler {
  return async (request, response, next) => next((await limits.ofCaller(response, costOf(request))) ?? undefined);
}

/**
 * For routes that are open to everybody. Their clients are OAuth programs and people in browsers, who do not know the
 * error body of the product: the answer is the error of RFC 6749 section 5.2, with the code that says "later".
 */
export function limitAddresses(limits: RequestLimits): RequestHandler {
  return async (request, response, next) => {
    const refused = await limits.ofAddress(request, response);
    if (refused === null) return next();
    response
      .status(refused.status)
      .set('cache-control', 'no-store')
      .json({ error: 'temporarily_unavailable', error_description: refused.message });
  };
}
