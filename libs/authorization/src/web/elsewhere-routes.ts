import { randomBytes } from 'node:crypto';
import { admitIdentity, joinByIdentity } from '@perdure/operations';
import { createOauthStore, type Identity, type MembershipRow } from '@perdure/store';
import express, { type Request, type Response, type Router } from 'express';
import { PATHS } from '../addresses.js';
import { workspacePage } from '../pages/sign-in-page.js';
import { artifactDigest } from '../provider/artifact-digest.js';
import type { ElsewhereAttempt, IdentityProvider, IdentityProviderSettings } from '../sign-in/identity-provider.js';
import { clearCookie, readCookie, setCookie } from './cookies.js';
import { field, guardField, ownForm } from './form-guard.js';
import { pageUrl, sendPage } from './page-context.js';
import { showSignIn, signIn, thenOf, type SignInContext } from './sign-in-routes.js';

/** From leaving for the identity provider to coming back, passwords and second factors included. */
const ATTEMPT_MS = 15 * 60_000;

export interface ElsewhereContext extends SignInContext {
  readonly identityProvider: IdentityProvider;
  readonly settings: IdentityProviderSettings;
  readonly onError: (error: unknown) => void;
}

interface Underway extends ElsewhereAttempt {
  readonly then: string;
}

interface Choice {
  readonly then: string;
  readonly identity: Identity;
  readonly choices: readonly MembershipRow[];
}

/** Signing in at the operator's identity provider (I4). What is under way is kept here, found by a cookie. */
export function elsewhereRoutes(context: ElsewhereContext): Router {
  const routes = express.Router();
  routes.get(PATHS.signInElsewhere, (request, response) => leave(context, request, response));
  routes.get(PATHS.signInCallback, (request, response) => comeBack(context, request, response));
  routes.post(PATHS.signInWorkspace, ...ownForm(context.cookies, context.addresses), (request, response) =>
    choose(context, request, response),
  );
  return routes;
}

async function leave(context: ElsewhereContext, request: Request, response: Response): Promise<void> {
  try {
    const { url, attempt } = await context.identityProvider.begin();
    await keep(context, response, { ...attempt, then: thenOf(request) } satisfies Underway);
    response.redirect(303, url);
  } catch (error) {
    context.onError(error);
    const problem = 'The identity provider does not answer. Try again, or use a sign-in link.';
    showSignIn(context, request, response, { problem, status: 503 });
  }
}

async function comeBack(context: ElsewhereContext, request: Request, response: Response): Promise<void> {
  const underway = (await take(context, request, response)) as Underway | null; // `leave` kept it
  if (underway === null) return tryAgain(context, request, response, 'This sign-in took too long.');
  try {
    const answer = new URL(context.addresses.issuer + request.url);
    const { identity, groups } = await context.identityProvider.finish(answer, underway);
    const now = context.clock().toISOString();
    const roles = context.settings.groupRules.filter(({ group }) => groups.includes(group));
    const memberships = await admitIdentity(context.dataSource, identity, roles, now);
    await enter(context, request, response, { then: underway.then, identity, choices: memberships });
  } catch (error) {
    context.onError(error);
    tryAgain(context, request, response, 'The identity provider did not confirm who you are.');
  }
}

async function enter(context: ElsewhereContext, request: Request, response: Response, choice: Choice): Promise<void> {
  const [first, second] = choice.choices;
  if (first === undefined)
    return tryAgain(context, request, response, 'You are no member of a workspace here. Ask for an invitation.', 403);
  if (second === undefined) return goIn(context, request, response, choice, first);
  await keep(context, response, choice);
  const names = choice.choices.map((one) => ({ workspaceId: one.workspace_id, name: one.workspace_name }));
  const guard = guardField(request, response, context.cookies);
  const page = workspacePage(names, pageUrl(context, PATHS.signInWorkspace), guard);
  sendPage(request, response, context.addresses, page);
}

async function choose(context: ElsewhereContext, request: Request, response: Response): Promise<void> {
  const choice = (await take(context, request, response)) as Choice | null; // `enter` kept it
  const chosen = choice?.choices?.find((one) => one.workspace_id === field(request, 'workspace'));
  if (choice === null || chosen === undefined)
    return tryAgain(context, request, response, 'This sign-in took too long.');
  await goIn(context, request, response, choice, chosen);
}

async function goIn(
  context: ElsewhereContext,
  request: Request,
  response: Response,
  { identity, then }: Choice,
  membership: MembershipRow,
): Promise<void> {
  const { workspace_id: workspaceId, member_id: memberId } = membership;
  await joinByIdentity(context.dataSource, identity, membership, context.clock().toISOString());
  context.onCommitted(workspaceId);
  await signIn(context, request, response, { workspaceId, memberId }, then);
}

const tryAgain = (context: SignInContext, request: Request, response: Response, problem: string, status = 400): void =>
  showSignIn(context, request, response, { problem, status });

async function keep(context: ElsewhereContext, response: Response, state: Underway | Choice): Promise<void> {
  const secret = randomBytes(32).toString('base64url');
  await createOauthStore(context.dataSource).put({
    kind: 'SignIn',
    idDigest: artifactDigest(secret),
    credentialId: null,
    payload: JSON.stringify(state),
    scopes: null,
    audience: null,
    expiresAt: new Date(Date.now() + ATTEMPT_MS),
  });
  setCookie(response, context.cookies, context.cookies.elsewhere, secret, ATTEMPT_MS);
}

/** What was kept for this browser; it can be taken once. */
async function take(context: ElsewhereContext, request: Request, response: Response): Promise<unknown> {
  const secret = readCookie(request, context.cookies.elsewhere);
  if (secret === null) return null;
  clearCookie(response, context.cookies, context.cookies.elsewhere);
  const store = createOauthStore(context.dataSource);
  const found = await store.find('SignIn', artifactDigest(secret));
  if (found === null || !(await store.consume('SignIn', artifactDigest(secret)))) return null;
  return JSON.parse(found.payload);
}
