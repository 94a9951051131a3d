import { endWebSession, listMcpGrants, listWebSessions, revokeOwnMcpGrant } from '@perdure/operations';
import express, { type Request, type Response, type Router } from 'express';
import { PATHS } from '../addresses.js';
import { accountPage } from '../pages/account-page.js';
import { guardField, ownForm } from './form-guard.js';
import { pageUrl, sendPage, visitor, type PageContext } from './page-context.js';

/** What acts for a person and where they are signed in, to be ended by themselves (I3, I4). The bare address leads there. */
export function accountRoutes(context: PageContext): Router {
  const routes = express.Router();
  const form = ownForm(context.cookies, context.addresses);
  routes.get('/', async (request, response, next) => {
    if ((await visitor(context, request)) === null) return next();
    response.redirect(302, pageUrl(context, PATHS.account));
  });
  routes.get(PATHS.account, (request, response) => show(context, request, response));
  routes.post(`${PATHS.account}/grants/:id/revoke`, ...form, async (request, response) => {
    const person = await visitor(context, request);
    const now = context.clock().toISOString();
    const id = String(request.params['id']);
    const ended = person !== null && (await revokeOwnMcpGrant(context.dataSource, person, id, now));
    if (ended) context.onCommitted(person.workspaceId);
    back(context, response);
  });
  routes.post(`${PATHS.account}/sessions/:id/end`, ...form, async (request, response) => {
    const person = await visitor(context, request);
    const id = String(request.params['id']);
    if (person !== null) await endWebSession(context.dataSource, person, id, context.clock());
    back(context, response);
  });
  return routes;
}

const back = (context: PageContext, response: Response): void =>
  response.redirect(303, pageUrl(context, PATHS.account));

async function show(context: PageContext, request: Request, response: Response): Promise<void> {
  const person = await visitor(context, request);
  if (person === null) return response.redirect(303, pageUrl(context, `${PATHS.signIn}?then=${PATHS.account}`));
  const now = context.clock();
  const [grants, sessions] = await Promise.all([
    listMcpGrants(context.dataSource, person, now.toISOString()),
    listWebSessions(context.dataSource, person, now),
  ]);
  const page = accountPage({
    person,
    grants,
    sessions,
    guard: guardField(request, response, context.cookies),
    url: (path) => pageUrl(context, PATHS.account + path),
    signOutAction: pageUrl(context, PATHS.signOut),
  });
  sendPage(request, response, context.addresses, page);
}
