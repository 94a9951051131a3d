import { catalogue, DomainError } from '@perdure/contracts';
import type { Transaction } from '@perdure/store';
import { implement } from '../dispatcher/implement.js';
import { lockItem, noSuchItem, refuseFinal, requireBacklogItem } from './find-backlog-item.js';

export const blockBacklogItemHandler = implement(catalogue.backlog.blockBacklogItem, async ({ tx, input, audit }) => {
  const { backlog_item_id: id, blocked_by: blockers, remove = false } = input;
  if (blockers.includes(id)) throw new DomainError('self_link', 'A backlog item cannot wait for itself.');
  await lockBlockers(tx);
  refuseFinal(await lockItem(tx, id));
  const changed = remove ? await deleteBlockers(tx, id, blockers) : await insertBlockers(tx, id, blockers);
  if (changed > 0) {
    const type = remove ? 'backlog_item.unblocked' : 'backlog_item.blocked';
    audit({ type, subjectId: id, payload: { blocked_by: blockers } });
  }
  return { backlog_item: await requireBacklogItem(tx, id) };
});

/** B4: one dependency at a time in a workspace; row locks do not stop two writes that together close a cycle. */
async function lockBlockers(tx: Transaction): Promise<void> {
  await tx.run(`SELECT pg_advisory_xact_lock(hashtextextended('backlog_blocker:' || $1, 0))`, [tx.workspaceId]);
}

/**
 * Makes an item wait for others; a new item needs no lock, for nothing can wait for it yet.
 *
 * @returns how many dependencies are new
 * @throws DomainError `not_found`, `cycle`
 */
export async function insertBlockers(tx: Transaction, id: string, blockers: readonly string[]): Promise<number> {
  if (blockers.length === 0) return 0;
  const known = await tx.rows(`SELECT 1 FROM backlog_item WHERE workspace_id = $1 AND id = ANY($2)`, [
    tx.workspaceId,
    blockers,
  ]);
  if (known.length < blockers.length) throw noSuchItem();
  const inserted = await tx.run(
    `INSERT INTO backlog_blocker (workspace_id, backlog_item_id, blocked_by_id) SELECT $1, $2, unnest($3::text[])
     ON CONFLICT DO NOTHING`,
    [tx.workspaceId, id, blockers],
  );
  if (inserted > 0) await refuseCycle(tx, id);
  return inserted;
}

function deleteBlockers(tx: Transaction, id: string, blockers: readonly string[]): Promise<number> {
  return tx.run(
    `DELETE FROM backlog_blocker WHERE workspace_id = $1 AND backlog_item_id = $2 AND blocked_by_id = ANY($3)`,
    [tx.workspaceId, id, blockers],
  );
}

/** @throws DomainError `cycle` when the item now waits, at any distance, for itself */
async function refuseCycle(tx: Transaction, id: string): Promise<void> {
  const met = await tx.first(
    `WITH RECURSIVE before (id) AS (
       SELECT blocked_by_id FROM backlog_blocker WHERE workspace_id = $1 AND backlog_item_id = $2
       UNION SELECT b.blocked_by_id FROM backlog_blocker b JOIN before ON b.workspace_id = $1 AND b.backlog_item_id = before.id
     ) SELECT 1 FROM before WHERE id = $2`,
    [tx.workspaceId, id],
  );
  if (met === undefined) return;
  throw new DomainError('cycle', 'One of these items waits for this one already, directly or through others.', {
    backlog_item_id: id,
  });
}
