/** Characters of context on each side of a match. */
const CONTEXT = 60;

/**
 * The first match of any of the terms with some text round it, the match between « and »; null when there is none.
 * Terms are looked for without case.
 */
export function highlight(text: string, terms: readonly string[]): string | null {
  const lower = text.toLowerCase();
  const found = terms
    .map((term) => ({ at: lower.indexOf(term.toLowerCase()), length: term.length }))
    .filter((match) => match.at >= 0 && match.length > 0)
    .toSorted((a, b) => a.at - b.at)[0];
  // Lower case of some letters is longer: then places do not agree, and no place is better than a wrong one.
  if (found === undefined || lower.length !== text.length) return null;
  const end = found.at + found.length;
  const before = text.slice(Math.max(0, found.at - CONTEXT), found.at);
  const after = text.slice(end, end + CONTEXT);
  return `${before}«${text.slice(found.at, end)}»${after}`.replace(/\s+/g, ' ').trim().toWellFormed();
}
