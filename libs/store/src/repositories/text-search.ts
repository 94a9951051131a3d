import type { Conditions } from './conditions.js';

interface SearchedText {
  /** The text by which rows of a table are found, as SQL of its columns. */
  readonly document: string;
  /** Its words as SQL: a column where they are kept, an expression where the index alone has them. */
  readonly words: string;
}

const TITLE_AND_BODY = `(title || E'\\n' || body_markdown)`;
const SESSION_TEXT = `(coalesce(intent, '') || E'\\n' || coalesce(notes, '') || E'\\n' || coalesce(session_history_entry_markdown, ''))`;
const wordsOf = (document: string): string => `to_tsvector('simple', ${document})`;

/** An index on an expression holds only while the query spells it the same way, so each stands here once. */
export const SEARCHED_TEXT = {
  decision: { document: `(title || E'\\n' || rationale_markdown)`, words: 'words' },
  backlog_item: { document: TITLE_AND_BODY, words: wordsOf(TITLE_AND_BODY) },
  rule: { document: TITLE_AND_BODY, words: wordsOf(TITLE_AND_BODY) },
  build_session: { document: SESSION_TEXT, words: wordsOf(SESSION_TEXT) },
} as const satisfies Record<string, SearchedText>;

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

type SearchedTable = keyof typeof SEARCHED_TEXT;

/** Adds the condition that the row `alias` of `table` is found by the query. */
export function addSearch(where: Conditions, table: SearchedTable, alias: string, query: string): void {
  where.and(() => `${alias}.id IN (SELECT row_id FROM ${foundBy(where, table, readSearchTerms(query))})`);
}

/** SQL of the rows of `table` that a query finds, as `row_id` and `as_whole`. */
function foundBy(where: Conditions, table: SearchedTable, { words, phrases, whole }: SearchTerms): string {
  const asked = [words.length === 0 ? null : wordsQuery(words), phrases.map(likePattern), likePattern(whole)];
  return `perdure_search_${table}(${asked.map((value) => where.place(value)).join(', ')})`;
}

/**
 * SQL of the decisions that a query finds, as `id` and `rank`: words by ts_rank; the whole query in the title, or
 * anywhere, counts most. Rows are ranked before anything else is read of them: a common word finds most of a log.
 */
export function rankedDecisions(where: Conditions, query: string): string {
  const terms = readSearchTerms(query);
  const found = foundBy(where, 'decision', terms);
  const title = where.place(likePattern(terms.whole));
  const words =
    terms.words.length === 0 ? '0' : `ts_rank(d.words, ${where.place(wordsQuery(terms.words))}::text::tsquery)`;
  return `SELECT d.id, (${words} + CASE WHEN NOT f.as_whole THEN 0
      WHEN lower(d.title) LIKE lower(${title}) THEN 2 ELSE 1 END)::float8 AS rank, d.appended_at
    FROM (SELECT row_id, bool_or(as_whole) AS as_whole FROM ${found} GROUP BY row_id) f
    JOIN decision d ON d.id = f.row_id WHERE d.workspace_id = $1`;
}

/** `'word':* & …`: words are letters, digits and underscores, so that nothing of them is an operator. */
const wordsQuery = (words: readonly string[]): string => words.map((word) => `'${word}':*`).join(' & ');

/** A text of which % and _ are plain characters. */
const likePattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;
