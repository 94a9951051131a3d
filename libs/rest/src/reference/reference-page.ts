import { createHash } from 'node:crypto';
import type { CatalogueDescription, CodeRow, KeyRow, OperationDescription } from './describe-catalogue.js';
import { html, Markup, withCode } from './markup.js';
import { PAGE_STYLE } from './page-style.js';
import type { SchemaRow } from './schema-words.js';

/** Nothing but the one style of the page itself: no script, no image, no frame, no address to send anything to. */
export const PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(PAGE_STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The reference as one self-contained page. @param version of the product */
export function referencePage(catalogue: CatalogueDescription, version: string): string {
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Perdure API reference</title>
        ${styleElement}
      </head>
      <body>
        ${navigation(catalogue)}
        <main>
          ${introduction(version)}
          ${catalogue.areas.map(
            (area) =>
              html`<section>
                <h2 id="${area.name}">${area.title}</h2>
                ${area.operations.map(operation)}
              </section>`,
          )}
          <section>
            <h2 id="objects">Objects</h2>
            ${catalogue.objects.map(
              ({ name, keys }) =>
                html`<h3 id="object-${name}">${name}</h3>
                  ${keyTable(keys)}`,
            )}
          </section>
          <section>
            <h2 id="codes">Codes</h2>
            ${codeTable(catalogue.codes)}
          </section>
        </main>
      </body>
    </html> `;
  return page.text;
}

/** The hash in the policy is of exactly these characters, so nothing may be escaped or added. */
const styleElement = new Markup(`<style>${PAGE_STYLE}</style>`);

const navigation = ({ areas }: CatalogueDescription): Markup =>
  html`<nav aria-label="Operations">
    <a href="#top"><strong>Perdure API</strong></a>
    ${areas.map(
      (area) =>
        html`<h2><a href="#${area.name}">${area.title}</a></h2>
          <ul>
            ${area.operations.map(({ name }) => html`<li><a href="#${name}">${name}</a></li>`)}
          </ul>`,
    )}
    <h2>More</h2>
    <ul>
      <li><a href="#objects">Objects</a></li>
      <li><a href="#codes">Codes</a></li>
      <li><a href="openapi.json">openapi.json</a></li>
    </ul>
  </nav>`;

const introduction = (version: string): Markup =>
  html`<h1 id="top">Perdure API ${version}</h1>
    <p>
      The operations of Perdure over REST, as they also are over MCP (<code>/mcp</code>) and tRPC (<code>/trpc</code>):
      the same names, arguments, answers and codes. <a href="openapi.json">openapi.json</a> is the machine-readable
      form.
    </p>
    <p>
      Send a credential as <code>Authorization: Bearer …</code>; it must hold the scope of the operation. GET takes its
      arguments from the path and the query string, everything else from the path and a JSON body of at most 512 kB. A
      refusal is <code>{"error": {kind, code, message, hint, details}}</code>: branch on <code>code</code>. Unknown
      arguments are refused by name.
    </p>
    <p>
      Every mutation takes an <code>Idempotency-Key</code> header: sent again within 24 h the call changes nothing more
      and gives the first answer with <code>Idempotent-Replayed: true</code>. Lists take <code>limit</code> and
      <code>cursor</code> and answer <code>items</code> and <code>next_cursor</code>, which is null on the last page.
    </p>`;

function operation(described: OperationDescription): Markup {
  const { name, method, path, summary, example } = described;
  return html`<article>
    <h3 id="${name}"><a href="#${name}">${name}</a></h3>
    <p class="route">
      <code><b>${method}</b> ${path}</code>
    </p>
    <p>${withCode(summary)}</p>
    <p class="facts">${facts(described)}</p>
    ${
      described.arguments.length === 0
        ? ''
        : html`<h4>Arguments</h4>
            ${argumentTable(described.arguments)}`
    }
    <h4>Answer (${described.statuses.join(' or ')})</h4>
    ${keyTable(described.results)}
    ${
      described.errors.length === 0
        ? ''
        : html`<h4>Refusals of its own</h4>
            ${codeTable(described.errors)}`
    }
    <h4>Example</h4>
    <pre>
${example.request.method} ${example.request.path}${
        example.request.body === null ? '' : `\n\n${JSON.stringify(example.request.body, null, 2)}`
      }</pre>
  </article> `;
}

function facts({ scope, toolSet, trpc, kind, audits, unauditedBecause }: OperationDescription): Markup {
  const audited =
    audits.length > 0 ? audits.join(', ') : `not${unauditedBecause === null ? '' : ` (${unauditedBecause})`}`;
  return html`Scope <code>${scope}</code> · tool set <code>${toolSet}</code> · tRPC <code>${trpc}</code>${
      kind === 'query' ? '' : ` · audited: ${audited}`
    }`;
}

const argumentTable = (rows: readonly SchemaRow[]): Markup =>
  html`<table>
    <thead>
      <tr>
        <th scope="col">Name</th>
        <th scope="col">Type</th>
        <th scope="col">Limits</th>
        <th scope="col">Required</th>
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        ({ name, type, limits, required }) =>
          html`<tr>
            <td><code>${name}</code></td>
            <td>${type}</td>
            <td>${limits}</td>
            <td>${required ? 'yes' : ''}</td>
          </tr> `,
      )}
    </tbody>
  </table>`;

const keyTable = (rows: readonly KeyRow[]): Markup =>
  html`<table>
    <thead>
      <tr>
        <th scope="col">Key</th>
        <th scope="col">Type</th>
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        (row) =>
          html`<tr>
            <td><code>${row.name}</code></td>
            <td>${typeWithLink(row)}</td>
          </tr> `,
      )}
    </tbody>
  </table>`;

function typeWithLink({ type, object }: KeyRow): Markup {
  if (object === null) return html`${type}`;
  const [before = '', after = ''] = type.split(object);
  return html`${before}<a href="#object-${object}">${object}</a>${after}`;
}

const codeTable = (rows: readonly CodeRow[]): Markup =>
  html`<table>
    <thead>
      <tr>
        <th scope="col">Code</th>
        <th scope="col">Status</th>
        <th scope="col">Hint</th>
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        ({ code, status, hint }) =>
          html`<tr>
            <td><code>${code}</code></td>
            <td>${status}</td>
            <td>${withCode(hint)}</td>
          </tr> `,
      )}
    </tbody>
  </table>`;
