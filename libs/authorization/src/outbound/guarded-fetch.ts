import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { request, type RequestOptions } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from './public-address.js';

/** Client metadata documents are a few hundred bytes; 64 kB and five seconds are generous. */
const MAX_BYTES = 64 * 1024;
const TIMEOUT_MS = 5_000;

export interface GuardedFetchOptions {
  /**
   * Hosts that may be asked, `name` or `name:port`. Null: every public one. A host that the operator names may have a
   * private address; that is what naming it is for.
   */
  readonly hosts: readonly string[] | null;
  /** Resolves names; for tests. */
  readonly lookup?: typeof systemLookup;
}

/** Says that an address may not be fetched, or that what came is not what may come. It names no address. */
export class FetchRefused extends Error {
  override readonly name = 'FetchRefused';
}

/**
 * Fetches a document that somebody unknown has named, so as the network outside would: https only, no redirect
 * followed, and no connection to an address that is not public. Addresses are checked as they are resolved and the
 * connection is made to exactly those, so that a name cannot change between check and use (DNS rebinding).
 *
 * @throws FetchRefused, or what the network throws
 */
export function createGuardedFetch({ hosts, lookup = systemLookup }: GuardedFetchOptions) {
  return async (input: string | URL, init: { signal?: AbortSignal | undefined } = {}): Promise<Response> => {
    const url = new URL(input);
    if (url.protocol !== 'https:') throw new FetchRefused('only https is fetched');
    const isNamed = hosts !== null && (hosts.includes(url.host) || hosts.includes(url.hostname));
    if (hosts !== null && !isNamed) throw new FetchRefused('this host is not one that may be asked');
    const literal = url.hostname.replace(/^\[|\]$/g, '');
    if (isIP(literal) !== 0 && !isNamed && !isPublicAddress(literal)) throw notPublic();
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    return get(url, {
      lookup: isNamed ? undefined : publicOnly(lookup),
      signal: init.signal === undefined ? timeout : AbortSignal.any([init.signal, timeout]),
    });
  };
}

const notPublic = () => new FetchRefused('this address is not on the public internet');

/** All addresses of a name must be public: the connection may go to any of them. */
const publicOnly =
  (lookup: typeof systemLookup): LookupFunction =>
  (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, '');
      const [first] = addresses;
      if (first === undefined || !addresses.every(({ address }: LookupAddress) => isPublicAddress(address)))
        return callback(notPublic(), '');
      if (options.all === true) return callback(null, addresses);
      callback(null, first.address, first.family);
    });
  };

function get(url: URL, options: Pick<RequestOptions, 'lookup' | 'signal'>): Promise<Response> {
  return new Promise((resolve, reject) => {
    // `agent: false`: a kept connection of another check must not serve this one.
    const sent = request(url, { ...options, agent: false, headers: { accept: 'application/json' } });
    sent.once('error', reject);
    sent.once('response', (answer) => {
      const chunks: Buffer[] = [];
      let size = 0;
      answer.on('data', (chunk: Buffer) => {
        size += chunk.length;
        chunks.push(chunk);
        if (size > MAX_BYTES) sent.destroy(new FetchRefused('the document is too large'));
      });
      answer.once('error', reject);
      answer.once('end', () => {
        const headers = new Headers();
        for (const name of ['content-type', 'cache-control', 'expires']) {
          const value = answer.headers[name];
          if (typeof value === 'string') headers.set(name, value);
        }
        // Response takes no status below 200; 304 and 204 must not have a body.
        const status = Math.max(answer.statusCode ?? 502, 200);
        const bodiless = status === 204 || status === 205 || status === 304;
        resolve(new Response(bodiless ? null : Buffer.concat(chunks), { status, headers }));
      });
    });
    sent.end();
  });
}
