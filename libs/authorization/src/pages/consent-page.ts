import { SCOPE_SENTENCES, type Scope } from '@perdure/contracts';
import { html, type Html } from './html.js';
import type { Page } from './layout.js';

export interface ConsentView {
  readonly clientName: string;
  /** The document by which the program is known, when it is; its host is proven, its name is not. */
  readonly clientHost: string | null;
  readonly redirectTarget: string;
  readonly workspaceName: string;
  readonly personName: string;
  /** What will be granted. */
  readonly scopes: readonly Scope[];
  /** Asked for, and not this person's to give. */
  readonly withheld: readonly string[];
  readonly action: string;
  /** Hidden fields that prove the form to be ours. */
  readonly guard: Html;
  readonly signOutAction: string;
}

/** Scopes by which a program could do lasting harm, or hand on what it has. */
const POWERFUL: ReadonlySet<Scope> = new Set(['access:write', 'audit:erase', 'rules:write']);

/** "May this program act for you?", in plain words (I3). */
export function consentPage(view: ConsentView): Page {
  const powerful = view.scopes.filter((scope) => POWERFUL.has(scope));
  const body = html` <section class="card">
      <h1>May ${view.clientName} act for you?</h1>
      <p class="soft">It will read and write in the workspace named below, under your name and its own.</p>
      <dl>
        <dt>Program</dt>
        <dd>${view.clientName} <span class="tag">unverified</span></dd>
        <dt>Known by</dt>
        <dd>${knownBy(view)}</dd>
        <dt>Answer goes to</dt>
        <dd>${view.redirectTarget}</dd>
        <dt>Workspace</dt>
        <dd><strong>${view.workspaceName}</strong></dd>
        <dt>You</dt>
        <dd>${view.personName}</dd>
      </dl>
      <h2>It will be able to</h2>
      <ul class="scopes">
        ${view.scopes.map((scope) => html`<li><span>${SCOPE_SENTENCES[scope]}</span><code>${scope}</code></li>`)}
      </ul>
      ${powerful.length === 0 ? null : html`<p class="notice">Look twice: ${sentences(powerful)}. Few programs need this.</p>`}
      ${view.withheld.length === 0 ? null : html`<p class="soft small">It asked for more than can be given here: ${view.withheld.join(', ')}.</p>`}
      <p class="soft small">
        Go on only if you have just started this yourself. You can take it back at any time on your account page.
      </p>
      <form method="post" action="${view.action}">
        ${view.guard}
        <div class="actions">
          <button name="decision" value="approve">Approve</button>
          <button name="decision" value="deny" class="plain">Deny</button>
        </div>
      </form>
    </section>
    <form method="post" action="${view.signOutAction}" class="actions">
      ${view.guard}
      <button class="plain small">Not you? Sign out</button>
    </form>`;
  return { title: 'Approve a program', body };
}

const knownBy = ({ clientHost }: ConsentView): string =>
  clientHost === null
    ? 'what it says about itself: anybody can register under any name'
    : `a document at ${clientHost}; its name is what that document says`;

const sentences = (scopes: readonly Scope[]): string =>
  scopes.map((scope) => SCOPE_SENTENCES[scope].replace(/^./, (letter) => letter.toLowerCase())).join('; ');

/** Nothing of what the program asks for is the person's to give. */
export function nothingToGrantPage(view: Omit<ConsentView, 'scopes'>): Page {
  const body = html` <section class="card">
    <h1>${view.clientName} asks for what you cannot give</h1>
    <p>In ${view.workspaceName} your role covers nothing of it: ${view.withheld.join(', ')}.</p>
    <p class="soft">An administrator of the workspace can change your role.</p>
    <form method="post" action="${view.action}">
      ${view.guard}
      <div class="actions"><button name="decision" value="deny" class="plain">Back to the program</button></div>
    </form>
  </section>`;
  return { title: 'Nothing to approve', body };
}
