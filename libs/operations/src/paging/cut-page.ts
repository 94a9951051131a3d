import { codePointLength } from '@perdure/contracts';

/** A list of items without bodies stays under this size as a whole, so that no agent pays for more than it can read. */
export const LIST_BUDGET_BYTES = 20_000;
/** Whole build sessions: as many as fit, at least one. */
export const WHOLE_SESSIONS_BUDGET_CHARACTERS = 40_000;

export const bytesOf = (item: unknown): number => Buffer.byteLength(JSON.stringify(item));
export const charactersOf = (item: unknown): number => codePointLength(JSON.stringify(item));

interface Budget<Item> {
  readonly limit: number;
  /** Of the whole answer. */
  readonly size: number;
  readonly measure: (value: unknown) => number;
  /** The answer around its items, when the page ends with this one. */
  readonly around: (last: Item) => unknown;
}

/**
 * The first items that fit limit and size, at least one. Rows must hold one more than the limit, so that it shows
 * whether anything is left.
 */
export function cutPage<Item>(rows: readonly Item[], budget: Budget<Item>): { items: Item[]; more: boolean } {
  const items: Item[] = [];
  let used = 0;
  for (const row of rows.slice(0, budget.limit)) {
    used += budget.measure(row) + 1; // and its comma
    if (items.length > 0 && used + budget.measure(budget.around(row)) >= budget.size) break;
    items.push(row);
  }
  return { items, more: rows.length > items.length };
}
