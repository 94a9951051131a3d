import { LIMITS } from '@perdure/contracts';
import { type PageKey, cursorsOf, decodeCursor } from './cursor.js';
import { bytesOf, cutPage, LIST_BUDGET_BYTES } from './cut-page.js';

interface ListCall {
  readonly operation: string;
  readonly workspaceId: string;
  readonly input: Readonly<Record<string, unknown>> & {
    readonly limit?: number | undefined;
    readonly cursor?: string | undefined;
  };
}

interface ListOf<Item> {
  /** Reads up to `limit` items after the place `after`, in the list's order. */
  readonly read: (after: PageKey | null, limit: number) => Promise<Item[]>;
  /** The place of an item in the list's order. */
  readonly keyOf: (item: Item) => PageKey;
  readonly budget?: { readonly size: number; readonly measure: (item: unknown) => number };
}

/** One page of a list: `{items, next_cursor}`, cut at the limit and at the budget of the list. */
export async function listPage<Item>(
  call: ListCall,
  { read, keyOf, budget = { size: LIST_BUDGET_BYTES, measure: bytesOf } }: ListOf<Item>,
): Promise<{ items: Item[]; next_cursor: string | null }> {
  const limit = call.input.limit ?? LIMITS.defaultPage;
  const rows = await read(decodeCursor(call, call.input.cursor), limit + 1);
  const cursorAt = cursorsOf(call);
  const cursorAfter = (item: Item) => cursorAt(keyOf(item));
  const around = (last: Item) => ({ items: [], next_cursor: cursorAfter(last) });
  const { items, more } = cutPage(rows, { limit, ...budget, around });
  const last = items.at(-1);
  return { items, next_cursor: more && last !== undefined ? cursorAfter(last) : null };
}
