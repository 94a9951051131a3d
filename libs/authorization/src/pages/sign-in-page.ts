import { html, type Html } from './html.js';
import type { Page } from './layout.js';

export interface SignInView {
  /** From the address, when a link was opened. */
  readonly token: string | null;
  readonly action: string;
  readonly guard: Html;
  /** Where to sign in elsewhere, when the installation has an identity provider. */
  readonly elsewhere: { readonly url: string; readonly name: string } | null;
  /** What was wrong with the attempt before. */
  readonly problem: string | null;
}

/**
 * Opening a link signs nobody in: previews and scanners of mailboxes open links too. Pressing the button does.
 */
export function signInPage(view: SignInView): Page {
  const body = html` <section class="card">
    <h1>Sign in</h1>
    ${view.problem === null ? null : html`<p class="notice" role="alert">${view.problem}</p>`}
    ${
      view.elsewhere === null
        ? null
        : html`<div class="actions">
              <a class="button" href="${view.elsewhere.url}">Continue with ${view.elsewhere.name}</a>
            </div>
            <p class="soft small or">Or use a sign-in link.</p>`
    }
    <form method="post" action="${view.action}">
      ${view.guard} ${view.token === null ? byHand() : byLink(view.token)}
    </form>
  </section>`;
  return { title: 'Sign in', body };
}

const byLink = (token: string): Html =>
  html` <p>You opened a sign-in link. It works once.</p>
    <input type="hidden" name="token" value="${token}" />
    <div class="actions"><button>Sign in</button></div>`;

const byHand = (): Html =>
  html` <label for="token">Sign-in link</label>
    <input
      id="token"
      name="token"
      type="text"
      autocomplete="off"
      spellcheck="false"
      required
      aria-describedby="where"
    />
    <p id="where" class="soft small">
      The link that the first start printed, an invitation, or one that an owner or the operator made for you.
    </p>
    <div class="actions"><button>Sign in</button></div>`;

export interface WorkspaceChoice {
  readonly workspaceId: string;
  readonly name: string;
}

/** Somebody whom the identity provider knows as a member of several workspaces. */
export function workspacePage(choices: readonly WorkspaceChoice[], action: string, guard: Html): Page {
  const body = html` <section class="card">
    <h1>Which workspace?</h1>
    <form method="post" action="${action}">
      ${guard}
      <div class="actions">
        ${choices.map(
          ({ workspaceId, name }) =>
            html`<button name="workspace" value="${workspaceId}" class="plain">${name}</button>`,
        )}
      </div>
    </form>
  </section>`;
  return { title: 'Choose a workspace', body };
}
