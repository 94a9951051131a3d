import type { IncomingMessage, ServerResponse } from 'node:http';
import { findSignedInPerson, type SignedInPerson } from '@perdure/operations';
import type { Request, Response } from 'express';
import helmet from 'helmet';
import type { DataSource } from 'typeorm';
import { PATHS, type Addresses } from '../addresses.js';
import { documentOf, type Page } from '../pages/layout.js';
import { readCookie, type Cookies } from './cookies.js';

/** What every page needs. */
export interface PageContext {
  readonly addresses: Addresses;
  readonly cookies: Cookies;
  readonly dataSource: DataSource;
  readonly clock: () => Date;
  /** Told after a commit that recorded audit events. */
  readonly onCommitted: (workspaceId: string) => void;
}

/** The address of a page as the browser knows it, below the base path. */
export const pageUrl = ({ addresses }: PageContext, path: string): string => addresses.basePath + path;

export const styleUrl = (addresses: Addresses): string => addresses.basePath + PATHS.style;

/** Who is signed in; null when nobody is. */
export async function visitor(context: PageContext, request: Request): Promise<SignedInPerson | null> {
  const token = readCookie(request, context.cookies.session);
  return token === null ? null : findSignedInPerson(context.dataSource, token, context.clock());
}

export interface SendOptions {
  readonly status?: number;
  /** Where a form of the page leads in the end, besides this host. */
  readonly formTarget?: string;
}

export function sendPage(
  request: Request,
  response: Response,
  addresses: Addresses,
  page: Page,
  { status = 200, formTarget }: SendOptions = {},
): void {
  setPageHeaders(request, response, formTarget);
  response
    .status(status)
    .type('html')
    .send(documentOf(page, styleUrl(addresses)));
}

/**
 * Headers of every page: nothing is loaded but the style sheet, nothing runs, nobody may frame it. `same-origin` for the
 * referrer, because with `no-referrer` browsers send `Origin: null` with our own forms. Browsers hold `form-action`
 * against redirects that follow a form, so the one of a consent page names where the answer goes.
 */
export function setPageHeaders(request: IncomingMessage, response: ServerResponse, formTarget?: string): void {
  const target = formTarget === undefined ? [] : [formTarget];
  const headers = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        styleSrc: ["'self'"],
        formAction: ["'self'", ...target],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    referrerPolicy: { policy: 'same-origin' },
    xFrameOptions: { action: 'deny' },
  });
  headers(request, response, () => undefined);
  response.setHeader('cache-control', 'no-store');
}

/** A redirect's place as `form-action` can name it: its origin, or its scheme where there is no such name for it. */
export function formTargetOf(redirectUri: string): string {
  const { protocol, hostname, origin } = new URL(redirectUri);
  const isWeb = protocol === 'https:' || protocol === 'http:';
  // Content-Security-Policy has no form for IPv6 addresses (CSP 3, host-source).
  return isWeb && !hostname.startsWith('[') ? origin : protocol;
}
