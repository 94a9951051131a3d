import { endWebSession, redeemSignInLink, startWebSession } from '@perdure/operations';
import express, { type Request, type Response, type Router } from 'express';
import { PATHS } from '../addresses.js';
import { signInPage } from '../pages/sign-in-page.js';
import { clearCookie, setCookie } from './cookies.js';
import { field, guardField, ownForm } from './form-guard.js';
import { pageUrl, sendPage, visitor, type PageContext } from './page-context.js';

/** As long as a session can last; the server ends it earlier when it was idle. */
const COOKIE_MS = 7 * 24 * 3600_000;

export interface SignInContext extends PageContext {
  /** How the identity provider is called, when there is one. */
  readonly elsewhere: string | null;
}

/** Signing in by a one-time link, and out (I4). */
export function signInRoutes(context: SignInContext): Router {
  const routes = express.Router();
  const form = ownForm(context.cookies, context.addresses);
  routes.get(PATHS.signIn, (request, response) => showSignIn(context, request, response));
  routes.post(PATHS.signIn, ...form, (request, response) => signInByLink(context, request, response));
  routes.post(PATHS.signOut, ...form, async (request, response) => {
    const person = await visitor(context, request);
    if (person !== null) await endWebSession(context.dataSource, person, person.sessionId, context.clock());
    clearCookie(response, context.cookies, context.cookies.session);
    response.redirect(303, pageUrl(context, signInPath(request)));
  });
  return routes;
}

/** The sign-in page, with where to go from there. */
const signInPath = (request: Request): string => `${PATHS.signIn}?then=${thenOf(request)}`;

/** Only pages of ours that have a reason to send somebody here. */
const THEN = new RegExp(`^(?:${PATHS.account}|${PATHS.consent}/[A-Za-z0-9_-]{1,64})$`);

/** Where a person goes once they are signed in: where they came from, else to their account. */
export function thenOf(request: Request): string {
  const then = request.query['then'];
  return typeof then === 'string' && THEN.test(then) ? then : PATHS.account;
}

export interface Attempt {
  readonly problem: string;
  readonly status: number;
}

export function showSignIn(
  context: SignInContext,
  request: Request,
  response: Response,
  attempt: Attempt | null = null,
): void {
  const { token } = request.query;
  const then = thenOf(request);
  const page = signInPage({
    token: attempt === null && typeof token === 'string' ? token : null,
    action: pageUrl(context, signInPath(request)),
    guard: guardField(request, response, context.cookies),
    elsewhere:
      context.elsewhere === null
        ? null
        : { url: pageUrl(context, `${PATHS.signInElsewhere}?then=${then}`), name: context.elsewhere },
    problem: attempt?.problem ?? null,
  });
  sendPage(request, response, context.addresses, page, { status: attempt?.status ?? 200 });
}

async function signInByLink(context: SignInContext, request: Request, response: Response): Promise<void> {
  const now = context.clock();
  const token = tokenIn(field(request, 'token') ?? '');
  const member = await redeemSignInLink(context.dataSource, token, now.toISOString());
  if (member === null) {
    const problem = 'This link is unknown, was used already or has expired. Ask for a new one.';
    return showSignIn(context, request, response, { problem, status: 400 });
  }
  context.onCommitted(member.workspaceId);
  await signIn(context, request, response, member);
}

/** People paste the whole link; the token is in its query. */
function tokenIn(pasted: string): string {
  const text = pasted.trim();
  return URL.canParse(text) ? (new URL(text).searchParams.get('token') ?? '') : text;
}

/** Starts a new session in place of the one before, if there was one, and goes on. */
export async function signIn(
  context: PageContext,
  request: Request,
  response: Response,
  member: { readonly workspaceId: string; readonly memberId: string },
  then = thenOf(request),
): Promise<void> {
  const now = context.clock();
  const before = await visitor(context, request);
  if (before !== null) await endWebSession(context.dataSource, before, before.sessionId, now);
  const token = await startWebSession(context.dataSource, member, request.get('user-agent') ?? 'unknown', now);
  setCookie(response, context.cookies, context.cookies.session, token, COOKIE_MS);
  response.redirect(303, pageUrl(context, then));
}
