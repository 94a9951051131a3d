import type { Conditions } from './conditions.js';

const TITLE_AND_BODY = `(title || E'\\n' || body_markdown)`;

/**
 * The text by which rows of a table are found, as SQL of its columns. An index on an expression holds only while the query
 * spells it the same way, so each stands here once.
 */
export const SEARCHED_TEXT = {
  decision: `(title || E'\\n' || rationale_markdown)`,
  backlog_item: TITLE_AND_BODY,
  rule: TITLE_AND_BODY,
  build_session: `(coalesce(intent, '') || E'\\n' || coalesce(notes, '') || E'\\n' || coalesce(session_history_entry_markdown, ''))`,
} as const;

interface SearchTerms {
  /** Texts that must all stand in the row, but for case: words and their beginnings, identifiers, paths, phrases. */
  readonly terms: readonly string[];
  /** The query without its quotation marks; null when it is the one term. */
  readonly whole: string | null;
  /** Words by which what was found is ranked, in lower case. */
  readonly words: readonly string[];
}

/** Terms enough for any question; more would only slow the index down. */
const MOST_TERMS = 32;

/** What people put round a term and do not mean: a star for the beginning of a word, commas, brackets. */
const AROUND = /^[\s,;()[\]{}'`]+|[\s,;:()[\]{}'`*?!]+$/gu;

/** Reads a query as people type it: words, and "quoted text" as a phrase. Every text is a valid query. */
export function readSearchTerms(query: string): SearchTerms {
  const phrases: string[] = [];
  const rest = query.replace(/["“”„«»]([^"“”„«»]*)["“”„«»]/g, (_match, phrase: string) => {
    if (phrase.trim() !== '') phrases.push(phrase.trim());
    return ' ';
  });
  const plain = rest
    .split(/[\s"“”„«»]+/u)
    .map((term) => term.replace(AROUND, '') || term)
    .filter((term) => term !== '');
  const terms = [...new Set([...phrases, ...plain])].slice(0, MOST_TERMS);
  const whole = query.replace(/["“”„«»]/g, '').trim();
  const words = query.toLowerCase().match(/[\p{L}\p{M}\p{N}_]+/gu) ?? [];
  return {
    terms,
    whole: terms.length === 1 && terms[0] === whole ? null : whole,
    words: [...new Set(words)].slice(0, MOST_TERMS),
  };
}

type SearchedTable = keyof typeof SEARCHED_TEXT;

/** Adds the condition that the row `alias` of `table` is found by the query. */
export function addSearch(where: Conditions, table: SearchedTable, alias: string, query: string): void {
  where.and(() => `${alias}.id IN (SELECT row_id FROM ${foundBy(where, table, readSearchTerms(query))})`);
}

/** SQL of the rows of `table` that a query finds, as `row_id` and `as_whole`. */
function foundBy(where: Conditions, table: SearchedTable, { terms, whole }: SearchTerms): string {
  const asked = [terms.map(likePattern), whole === null ? null : likePattern(whole)];
  return `perdure_search_${table}(${asked.map((value) => where.place(value)).join(', ')})`;
}

/**
 * SQL of the decisions that a query finds, as `id` and `rank`: words by ts_rank; the whole query in the title, or
 * anywhere, counts most. Rows are ranked before anything else is read of them: a common word finds most of a log.
 */
export function rankedDecisions(where: Conditions, query: string): string {
  const read = readSearchTerms(query);
  const found = foundBy(where, 'decision', read);
  const title = where.place(likePattern(read.whole ?? read.terms[0] ?? ''));
  const words =
    read.words.length === 0 ? '0' : `ts_rank(d.words, ${where.place(wordsQuery(read.words))}::text::tsquery)`;
  return `SELECT d.id, (${words} + CASE WHEN NOT f.as_whole THEN 0
      WHEN lower(d.title) LIKE lower(${title}) THEN 2 ELSE 1 END)::float8 AS rank, d.appended_at
    FROM ${found} f JOIN decision d ON d.id = f.row_id WHERE d.workspace_id = $1`;
}

/** `'word':* & …`: words are letters, digits and underscores, so that nothing of them is an operator. */
const wordsQuery = (words: readonly string[]): string => words.map((word) => `'${word}':*`).join(' & ');

/** A text of which % and _ are plain characters. */
const likePattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;
