import { createHash } from 'node:crypto';
import type { CookieOptions, Request, Response } from 'express';
import type { Addresses } from '../addresses.js';

/** The cookies of one installation. */
export interface Cookies {
  readonly session: string;
  /** Proves that a form came from a page of ours. */
  readonly form: string;
  /** Who is under way to the identity provider and back. */
  readonly elsewhere: string;
  /** Of the authorization library: a request under way, and its way back. */
  readonly request: string;
  readonly resume: string;
  readonly unused: string;
  readonly options: CookieOptions;
}

/**
 * Names and attributes of the cookies. Over TLS the browser itself guards them: `__Host-` cookies come from this host
 * alone. On plain http, which only loopback should be, that prefix is not allowed; and as cookies do not know ports,
 * the name tells the stacks of one machine apart, while api and gateway of one stack share theirs.
 */
export function cookiesOf({ issuer, basePath, resource }: Addresses): Cookies {
  const secure = issuer.startsWith('https:');
  const tag = createHash('sha256').update(resource).digest('hex').slice(0, 8);
  const host = (name: string) => (secure ? `__Host-perdure-${name}` : `perdure_${name}_${tag}`);
  const bound = (name: string) => (secure ? `__Secure-perdure-${name}` : `perdure_${name}_${tag}`);
  return {
    session: host('session'),
    form: host('form'),
    elsewhere: host('elsewhere'),
    request: bound('request'),
    resume: bound('resume'),
    unused: bound('unused'),
    options: { httpOnly: true, sameSite: 'lax', secure, path: secure ? '/' : `${basePath}/` },
  };
}

/** The value of a cookie of the request; null when it is not sent. */
export function readCookie(request: Request, name: string): string | null {
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const [key = '', value = ''] = pair.trim().split('=', 2);
    if (key === name) return value;
  }
  return null;
}

export const setCookie = (response: Response, cookies: Cookies, name: string, value: string, maxAge: number): void =>
  void response.cookie(name, value, { ...cookies.options, maxAge });

export const clearCookie = (response: Response, cookies: Cookies, name: string): void =>
  void response.clearCookie(name, cookies.options);
