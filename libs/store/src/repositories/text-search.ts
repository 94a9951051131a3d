import type { Conditions } from './conditions.js';

/**
 * The text by which rows of a table are found, as SQL of its columns; `r` is the alias with its dot, empty for an index.
 * The index on the expression holds only while the query spells it the same way, so it stands here once.
 */
export const SEARCHED_TEXT = {
  decision: (r: string) => `(${r}title || E'\\n' || ${r}rationale_markdown)`,
  backlog_item: (r: string) => `(${r}title || E'\\n' || ${r}body_markdown)`,
  rule: (r: string) => `(${r}title || E'\\n' || ${r}body_markdown)`,
  build_session: (r: string) =>
    `(coalesce(${r}intent, '') || E'\\n' || coalesce(${r}notes, '') || E'\\n' || coalesce(${r}session_history_entry_markdown, ''))`,
} as const;

export interface SearchTerms {
  /** Words that must begin a word of the text, in lower case. */
  readonly words: readonly string[];
  /** Texts in quotation marks, which must stand in it as they are but for case. */
  readonly phrases: readonly string[];
  /** The query without its quotation marks: found also where it is part of a longer word. */
  readonly whole: string;
}

/** Words enough for any question; more would only slow the index down. */
const MAX_WORDS = 32;

/** Reads a query as people type it: words are prefixes, "quoted text" is a phrase. Every text is a valid query. */
export function readSearchTerms(query: string): SearchTerms {
  const phrases: string[] = [];
  const rest = query.replace(/"([^"]*)"/g, (_match, phrase: string) => {
    if (phrase.trim() !== '') phrases.push(phrase.trim());
    return ' ';
  });
  const words = rest.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
  return { words: [...new Set(words)].slice(0, MAX_WORDS), phrases, whole: query.replaceAll('"', '').trim() };
}

/**
 * Adds the conditions of a search over `document`.
 *
 * @returns what makes SQL of the rank, for lists that go by it: words by ts_rank, and a match of the whole query, or of
 * it in the title, counts most. A list that does not must not ask: Postgres refuses a parameter that nothing uses.
 */
export function addSearch(where: Conditions, document: string, query: string): (title: string) => string {
  const terms = readSearchTerms(query);
  const contains = (text: string, part: string) => `lower(${text}) LIKE lower(${where.place(likePattern(part))})`;
  const byWhole = contains(document, terms.whole);
  const words = terms.words.length === 0 ? null : `${where.place(wordsQuery(terms.words))}::text::tsquery`;
  const byWords = words === null ? [] : [`to_tsvector('simple', ${document}) @@ ${words}`];
  const byTerms = [...byWords, ...terms.phrases.map((phrase) => contains(document, phrase))].join(' AND ');
  where.and(() => (byTerms === '' ? byWhole : `((${byTerms}) OR ${byWhole})`));
  return (title) => {
    const rank = words === null ? '0' : `ts_rank(to_tsvector('simple', ${document}), ${words})`;
    return `(${rank} + CASE WHEN ${contains(title, terms.whole)} THEN 2 WHEN ${byWhole} THEN 1 ELSE 0 END)::float8`;
  };
}

/** `'word':* & …`: words are letters, digits and underscores, so that nothing of them is an operator. */
const wordsQuery = (words: readonly string[]): string => words.map((word) => `'${word}':*`).join(' & ');

/** A text of which % and _ are plain characters. */
const likePattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;
