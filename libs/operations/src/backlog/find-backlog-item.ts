import { type BacklogItemObject, type BacklogStatus, DomainError } from '@perdure/contracts';
import { findBacklogItem, type Transaction } from '@perdure/store';

export const noSuchItem = () => new DomainError('not_found', 'There is no such backlog item in this workspace.');

/** @throws DomainError `not_found`, the same for an unknown item and for another workspace's */
export async function requireBacklogItem(tx: Transaction, id: string): Promise<BacklogItemObject> {
  const item = await findBacklogItem(tx, id);
  if (item === undefined) throw noSuchItem();
  return item;
}

export interface LockedItem {
  readonly id: string;
  readonly status: BacklogStatus;
  readonly assignee: string | null;
  readonly priority: string;
  readonly category: string;
}

/**
 * The item as it is now, locked to the commit: whoever comes second sees what the first one made of it.
 *
 * @throws DomainError `not_found`
 */
export async function lockItem(tx: Transaction, id: string): Promise<LockedItem> {
  const row = await tx.first<LockedItem>(
    `SELECT id, status, assignee, priority, category FROM backlog_item WHERE workspace_id = $1 AND id = $2 FOR NO KEY UPDATE`,
    [tx.workspaceId, id],
  );
  if (row === undefined) throw noSuchItem();
  return row;
}

const FINAL: ReadonlySet<BacklogStatus> = new Set(['resolved', 'dismissed']);

export const isFinal = (status: BacklogStatus): boolean => FINAL.has(status);

/** @throws DomainError `item_final` */
export function refuseFinal(item: LockedItem): void {
  if (!isFinal(item.status)) return;
  throw new DomainError('item_final', `The item is ${item.status} and does not change any more.`, {
    backlog_item_id: item.id,
    status: item.status,
  });
}
