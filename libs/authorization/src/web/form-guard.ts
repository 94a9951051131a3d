import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { DomainError } from '@perdure/contracts';
import express, { type Request, type RequestHandler, type Response } from 'express';
import type { Addresses } from '../addresses.js';
import { html, type Html } from '../pages/html.js';
import { readCookie, setCookie, type Cookies } from './cookies.js';

const FIELD = 'guard';
const FORM_COOKIE_MS = 24 * 3600_000;
const FORM_LIMIT = '16kb';

/**
 * The hidden field of every form: only a page of this host can know it, for it is made from a cookie that pages of other
 * hosts cannot read, and it ends with the session it was made in.
 */
export function guardField(request: Request, response: Response, cookies: Cookies): Html {
  const known = readCookie(request, cookies.form);
  const secret = known !== null && known.length >= 32 ? known : randomBytes(32).toString('base64url');
  if (secret !== known) setCookie(response, cookies, cookies.form, secret, FORM_COOKIE_MS);
  return html`<input type="hidden" name="${FIELD}" value="${proofOf(secret, readCookie(request, cookies.session))}" />`;
}

const proofOf = (secret: string, session: string | null): string =>
  createHmac('sha256', secret)
    .update(`perdure form ${session ?? ''}`)
    .digest('base64url');

/** Reads the form into `request.body` and refuses one that a page of somebody else sent (CSRF). */
export const ownForm = (cookies: Cookies, addresses: Addresses): RequestHandler[] => [
  express.urlencoded({ extended: false, limit: FORM_LIMIT, parameterLimit: 50 }),
  (request, _response, next) => {
    if (isOfThisSite(request, addresses) && hasProof(request, cookies)) return next();
    next(new DomainError('forbidden', 'This form did not come from a page of this installation, or is too old.'));
  },
];

/** What the browser says about who sent it; an old one says nothing, and the proof decides alone. */
function isOfThisSite({ headers }: Request, { issuer }: Addresses): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  if (headers.origin === undefined) return true;
  return headers.origin === new URL(issuer).origin || headers.origin.replace(/^https?:\/\//, '') === headers.host;
}

function hasProof(request: Request, cookies: Cookies): boolean {
  const secret = readCookie(request, cookies.form);
  const given = field(request, FIELD);
  if (secret === null || given === null) return false;
  const expected = Buffer.from(proofOf(secret, readCookie(request, cookies.session)));
  const actual = Buffer.from(given);
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}

/** A field of a form; null when it is missing or was given twice. */
export function field(request: Request, name: string): string | null {
  const body: unknown = request.body;
  if (typeof body !== 'object' || body === null) return null;
  const value: unknown = Reflect.get(body, name);
  return typeof value === 'string' ? value : null;
}
