import { html } from './html.js';
import type { Page } from './layout.js';

/** One thing to be said, and what to do about it. */
export function messagePage(title: string, message: string, advice: string): Page {
  const body = html` <section class="card">
    <h1>${title}</h1>
    <p>${message}</p>
    <p class="soft">${advice}</p>
  </section>`;
  return { title, body };
}
