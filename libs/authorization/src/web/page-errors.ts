import { DomainError } from '@perdure/contracts';
import type { ErrorRequestHandler } from 'express';
import { PATHS, type Addresses } from '../addresses.js';
import { messagePage } from '../pages/message-page.js';
import { sendPage } from './page-context.js';

const PAGES = [PATHS.consent, PATHS.signIn, PATHS.signOut, PATHS.account];

/** A refusal on a page is shown as one; whatever else goes wrong is the application's to answer and to log. */
export const pageErrors =
  (addresses: Addresses): ErrorRequestHandler =>
  (error: unknown, request, response, next) => {
    const isPage = PAGES.some((path) => request.path === path || request.path.startsWith(`${path}/`));
    if (!isPage || !(error instanceof DomainError) || response.headersSent) return next(error);
    const page = messagePage('That did not work', error.message, 'Go back and try again.');
    sendPage(request, response, addresses, page, { status: error.status });
  };
