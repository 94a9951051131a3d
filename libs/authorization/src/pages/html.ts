/** Text that is HTML already; anything else is escaped where it is put in. */
export class Html {
  constructor(readonly text: string) {}
}

type Part = Html | string | number | null | readonly Html[];

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escape = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');

/** HTML with its parts escaped, for element content and quoted attributes. Null is nothing. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const texts = strings.map((string, index) => string + (index < parts.length ? textOf(parts[index] ?? null) : ''));
  return new Html(texts.join(''));
}

function textOf(part: Part): string {
  if (part === null) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'object') return part.map(({ text }) => text).join('');
  return escape(String(part));
}
