/** Text that is HTML already. Everything else is escaped where `html` puts it in. */
export class Markup {
  constructor(readonly text: string) {}
}

type Part = string | number | Markup | readonly Part[];

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);

const written = (part: Part): string => {
  if (part instanceof Markup) return part.text;
  if (typeof part === 'string' || typeof part === 'number') return escaped(String(part));
  return part.map(written).join('');
};

/** A template whose values are escaped, but for Markup. */
export const html = (pieces: TemplateStringsArray, ...parts: readonly Part[]): Markup =>
  new Markup(pieces.map((piece, index) => piece + written(parts[index] ?? '')).join(''));

/** Words between backticks as code; the rest escaped. */
export const withCode = (text: string): Markup[] =>
  text.split('`').map((piece, index) => (index % 2 === 1 ? html`<code>${piece}</code>` : html`${piece}`));
