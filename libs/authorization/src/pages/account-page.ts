import type { McpGrant, SignedInPerson, WebSession } from '@perdure/operations';
import { html, type Html } from './html.js';
import type { Page } from './layout.js';
import { browserName } from './shown-text.js';

export interface AccountView {
  readonly person: SignedInPerson;
  readonly grants: readonly McpGrant[];
  readonly sessions: readonly WebSession[];
  readonly guard: Html;
  /** Of a form's target below the account page. */
  readonly url: (path: string) => string;
  readonly signOutAction: string;
}

/** Who is signed in, which programs act for them, and from where they are signed in. */
export function accountPage(view: AccountView): Page {
  const { person } = view;
  const body = html` <section class="card">
      <h1>${person.name}</h1>
      <p class="soft">${person.role} of <strong>${person.workspaceName}</strong></p>
      <form method="post" action="${view.signOutAction}">
        ${view.guard}
        <div class="actions"><button class="plain">Sign out</button></div>
      </form>
    </section>
    <section class="card">
      <h2>Programs that act for you</h2>
      ${view.grants.length === 0 ? html`<p class="soft">None. A program appears here once you approve it.</p>` : grantTable(view)}
    </section>
    <section class="card">
      <h2>Where you are signed in</h2>
      ${sessionTable(view)}
    </section>`;
  return { title: 'Your account', body, wide: true };
}

const grantTable = ({ grants, guard, url }: AccountView): Html =>
  html` <table>
    <thead>
      <tr>
        <th>Program</th>
        <th>May</th>
        <th>Last used</th>
        <th></th>
      </tr>
    </thead>
    <tbody>
      ${grants.map(
        (grant) =>
          html`<tr>
            <td>
              <strong>${grant.client_name}</strong><br /><span class="soft small"
                >answers went to ${grant.redirect_host}</span
              >
            </td>
            <td class="small">${grant.scopes.join(', ')}</td>
            <td class="small">
              <span class="narrow">Last used: </span
              >${grant.last_used_at === null ? 'not yet' : minute(grant.last_used_at)}<br /><span class="soft"
                >approved ${grant.created_at.slice(0, 10)}, ends ${grant.expires_at.slice(0, 10)}</span
              >
            </td>
            <td class="action">
              <form method="post" action="${url(`/grants/${grant.credential_id}/revoke`)}">
                ${guard}<button class="plain small">Revoke</button>
              </form>
            </td>
          </tr>`,
      )}
    </tbody>
  </table>`;

const sessionTable = ({ sessions, person, guard, url }: AccountView): Html =>
  html` <table>
    <thead>
      <tr>
        <th>Browser</th>
        <th>Since</th>
        <th>Last seen</th>
        <th></th>
      </tr>
    </thead>
    <tbody>
      ${sessions.map(
        (session) =>
          html`<tr>
            <td class="small">
              ${browserName(session.user_agent)}${session.id === person.sessionId ? html` <span class="soft">(this one)</span>` : null}
            </td>
            <td class="small"><span class="narrow">Since: </span>${minute(session.created_at)}</td>
            <td class="small"><span class="narrow">Last seen: </span>${minute(session.seen_at)}</td>
            <td class="action">
              <form method="post" action="${url(`/sessions/${session.id}/end`)}">
                ${guard}<button class="plain small">End</button>
              </form>
            </td>
          </tr>`,
      )}
    </tbody>
  </table>`;

/** `2026-11-30 21:54 UTC`: the server does not know the reader's zone, and no script runs that would. */
const minute = (instant: string): string => `${instant.slice(0, 10)} ${instant.slice(11, 16)} UTC`;
