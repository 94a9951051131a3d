import { DomainError } from '@perdure/contracts';
import type { Transaction } from '@perdure/store';
import { itemOf, itemOfLine, type ReceivedItem } from './received-item.js';
import { ndjsonLines } from './ndjson-lines.js';

/** Written at once: at most this many items, and about this many characters. */
const AT_ONCE = { items: 500, characters: 1_000_000 } as const;

const INSERT_ITEMS = `
  INSERT INTO usage_batch_item (workspace_id, batch_id, line, report, status, code, message)
  SELECT $1, $2, line, report, status, code, message
  FROM unnest($3::int[], $4::jsonb[], $5::text[], $6::text[], $7::text[]) AS i (line, report, status, code, message)`;

export interface BatchRow {
  readonly batch_id: string;
  readonly status: 'received' | 'applied';
  readonly received: number;
}

export const findByKey = (tx: Transaction, batchKey: string): Promise<BatchRow | undefined> =>
  tx.first<BatchRow>(
    `SELECT id AS batch_id, status, received_count AS received FROM usage_batch
     WHERE workspace_id = $1 AND batch_key = $2`,
    [tx.workspaceId, batchKey],
  );

/** @throws DomainError `rate_limited` with the seconds to wait, while more of this workspace waits than may */
export async function refuseBacklog(tx: Transaction, limit: number): Promise<void> {
  const row = await tx.first<{ waiting: string }>(
    `SELECT coalesce(sum(received_count), 0) AS waiting FROM usage_batch WHERE workspace_id = $1 AND status = 'received'`,
    [tx.workspaceId],
  );
  const waiting = Number(row?.waiting ?? 0);
  if (waiting < limit) return;
  throw new DomainError('rate_limited', `${waiting} usage reports wait to be applied; no more are taken just now.`, {
    waiting,
    limit,
    retry_after_seconds: 5,
  });
}

export async function* itemsOfList(reports: readonly unknown[]): AsyncGenerator<ReceivedItem> {
  for (const [index, report] of reports.entries()) yield itemOf(index + 1, report);
}

/** Memory holds what is written at once, however long the body is. */
export async function* itemsOfLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ReceivedItem> {
  for await (const line of ndjsonLines(chunks)) yield itemOfLine(line);
}

/** Writes the items of a batch as they come and returns how many there were. */
export async function receiveItems(
  tx: Transaction,
  batchId: string,
  items: AsyncIterable<ReceivedItem>,
): Promise<number> {
  let received = 0;
  let characters = 0;
  let waiting: ReceivedItem[] = [];
  const write = async () => {
    await insertItems(tx, batchId, waiting);
    [waiting, characters] = [[], 0];
  };
  for await (const item of items) {
    waiting.push(item);
    received += 1;
    characters += item.report.length;
    if (waiting.length >= AT_ONCE.items || characters >= AT_ONCE.characters) await write();
  }
  if (waiting.length > 0) await write();
  return received;
}

const insertItems = (tx: Transaction, batchId: string, items: readonly ReceivedItem[]) =>
  tx.run(INSERT_ITEMS, [
    tx.workspaceId,
    batchId,
    items.map(({ line }) => line),
    items.map(({ report }) => report),
    items.map(({ rejected }) => (rejected === null ? null : 'rejected')),
    items.map(({ rejected }) => rejected?.code ?? null),
    items.map(({ rejected }) => rejected?.message ?? null),
  ]);
