import { codePointLength } from '@perdure/contracts';

/** A list of items without bodies ends early at this size, so that no agent pays for more than it can read. */
export const LIST_BUDGET_BYTES = 20_000;
/** Whole build sessions: as many as fit, at least one. */
export const WHOLE_SESSIONS_BUDGET_CHARACTERS = 40_000;

export const bytesOf = (item: unknown): number => Buffer.byteLength(JSON.stringify(item));
export const charactersOf = (item: unknown): number => codePointLength(JSON.stringify(item));

interface Budget {
  readonly limit: number;
  readonly size: number;
  readonly measure: (item: unknown) => number;
}

/**
 * The first items that fit limit and size, at least one. Rows must hold one more than the limit, so that it shows
 * whether anything is left.
 */
export function cutPage<Item>(rows: readonly Item[], budget: Budget): { items: Item[]; more: boolean } {
  const items: Item[] = [];
  let used = 2; // the brackets of the list
  for (const row of rows.slice(0, budget.limit)) {
    used += budget.measure(row) + 1; // and its comma
    if (items.length > 0 && used > budget.size) break;
    items.push(row);
  }
  return { items, more: rows.length > items.length };
}
