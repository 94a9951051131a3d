import { GRANTABLE_SCOPES, type Scope } from '@perdure/contracts';
import { approveClient, grantableScopes, type SignedInPerson } from '@perdure/operations';
import express, { type Request, type RequestHandler, type Response, type Router } from 'express';
import { PATHS } from '../addresses.js';
import { consentPage, nothingToGrantPage } from '../pages/consent-page.js';
import { messagePage } from '../pages/message-page.js';
import { redirectTarget, shownName } from '../pages/shown-text.js';
import { isMetadataDocument } from '../provider/client-rules.js';
import { GRANT_SECONDS } from '../provider/lifetimes.js';
import type { Provider } from '../provider/load-provider.js';
import { field, guardField, ownForm } from './form-guard.js';
import { formTargetOf, pageUrl, sendPage, visitor, type PageContext } from './page-context.js';

export interface ConsentContext extends PageContext {
  readonly provider: Provider;
  /** Makes the library see the address that the browser sees. */
  readonly asPublic: RequestHandler;
  readonly noteAsked: (clientId: string) => Promise<void>;
}

/** A request for authorization that waits for a person. */
interface Waiting {
  readonly uid: string;
  readonly clientId: string;
  readonly clientName: string;
  readonly redirectUri: string;
  readonly asked: readonly Scope[];
}

/** The page on which a person lets a program act for them, or does not (I3). */
export function consentRoutes(context: ConsentContext): Router {
  const routes = express.Router();
  const path = `${PATHS.consent}/:uid`;
  routes.get(path, context.asPublic, (request, response) => show(context, request, response));
  routes.post(path, context.asPublic, ...ownForm(context.cookies, context.addresses), (request, response) =>
    decide(context, request, response),
  );
  return routes;
}

async function show(context: ConsentContext, request: Request, response: Response): Promise<void> {
  const waiting = await waitingRequest(context, request, response);
  if (waiting === null) return tooLate(context, request, response);
  const person = await visitor(context, request);
  const here = `${PATHS.consent}/${waiting.uid}`;
  if (person === null) return response.redirect(303, pageUrl(context, `${PATHS.signIn}?then=${here}`));
  await context.noteAsked(waiting.clientId);
  const scopes = grantableScopes(person.role, waiting.asked);
  const view = {
    clientName: waiting.clientName,
    clientHost: isMetadataDocument(waiting.clientId) ? new URL(waiting.clientId).host : null,
    redirectTarget: redirectTarget(waiting.redirectUri),
    workspaceName: person.workspaceName,
    personName: person.name,
    withheld: waiting.asked.filter((scope) => !scopes.includes(scope)),
    action: pageUrl(context, here),
    guard: guardField(request, response, context.cookies),
    signOutAction: pageUrl(context, `${PATHS.signOut}?then=${here}`),
  };
  const page = scopes.length === 0 ? nothingToGrantPage(view) : consentPage({ ...view, scopes });
  sendPage(request, response, context.addresses, page, { formTarget: formTargetOf(waiting.redirectUri) });
}

async function decide(context: ConsentContext, request: Request, response: Response): Promise<void> {
  const waiting = await waitingRequest(context, request, response);
  if (waiting === null) return tooLate(context, request, response);
  const person = await visitor(context, request);
  const decision = field(request, 'decision');
  if (decision === 'deny') {
    const refusal = { error: 'access_denied', error_description: 'the person denied the request' };
    return context.provider.interactionFinished(request, response, refusal, { mergeWithLastSubmission: false });
  }
  if (person === null || decision !== 'approve')
    return response.redirect(303, pageUrl(context, `${PATHS.consent}/${waiting.uid}`));
  const grantId = await approve(context, waiting, person);
  await context.provider.interactionFinished(
    request,
    response,
    // One page answers every kind of question that a client may ask for.
    { login: { accountId: person.memberId, remember: false }, select_account: {}, consent: { grantId } },
    { mergeWithLastSubmission: false },
  );
}

/** The grant that the library finds its tokens by; its id is the credential's. */
async function approve(context: ConsentContext, waiting: Waiting, person: SignedInPerson): Promise<string> {
  const now = context.clock();
  const { credentialId, scopes } = await approveClient(context.dataSource, {
    workspaceId: person.workspaceId,
    memberId: person.memberId,
    client: {
      id: waiting.clientId,
      name: waiting.clientName,
      redirectHost: redirectTarget(waiting.redirectUri),
    },
    asked: waiting.asked,
    expiresAt: new Date(now.getTime() + GRANT_SECONDS * 1000).toISOString(),
    now: now.toISOString(),
  });
  context.onCommitted(person.workspaceId);
  const grant = new context.provider.Grant({ accountId: person.memberId, clientId: waiting.clientId });
  grant.jti = credentialId;
  for (const spelling of context.addresses.resourceSpellings) grant.addResourceScope(spelling, scopes.join(' '));
  return grant.save();
}

/** The request that this browser brought here; null when there is none, it is another one, or it took too long. */
async function waitingRequest(
  { provider }: ConsentContext,
  request: Request,
  response: Response,
): Promise<Waiting | null> {
  const details = await provider.interactionDetails(request, response).catch(() => null);
  if (details === null || details.uid !== request.params['uid']) return null;
  const { client_id: clientId, redirect_uri: redirectUri, scope } = details.params;
  const client = typeof clientId === 'string' ? await provider.Client.find(clientId).catch(() => undefined) : undefined;
  if (client === undefined || typeof redirectUri !== 'string') return null;
  const asked = typeof scope === 'string' ? scope.split(' ') : [];
  return {
    uid: details.uid,
    clientId: client.clientId,
    clientName: shownName(client.clientName, redirectTarget(redirectUri)),
    redirectUri,
    asked: GRANTABLE_SCOPES.filter((one) => asked.includes(one)),
  };
}

function tooLate({ addresses }: ConsentContext, request: Request, response: Response): void {
  const page = messagePage(
    'This request is not open any more',
    'It was answered already, took too long, or was begun in another browser.',
    'Start again from the program that wants to connect.',
  );
  sendPage(request, response, addresses, page, { status: 400 });
}
