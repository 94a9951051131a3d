import { catalogue, DomainError, type InputOf } from '@perdure/contracts';
import { blockersOf, Conditions, READY, type Transaction } from '@perdure/store';
import { type HandlerContext, implement } from '../dispatcher/implement.js';
import { requireProject } from '../projects/find-project.js';
import { alreadyAssigned } from './assign-backlog-item.js';
import { isFinal, type LockedItem, lockItem, refuseFinal, requireBacklogItem } from './find-backlog-item.js';

type Context = HandlerContext<InputOf<typeof catalogue.backlog.claimBacklogItem>>;

export const claimBacklogItemHandler = implement(catalogue.backlog.claimBacklogItem, async (context) => {
  const { tx, caller, input, audit } = context;
  const item =
    input.backlog_item_id === undefined ? await nextReady(context) : await named(context, input.backlog_item_id);
  if (item === null) return { backlog_item: null };
  if (item.status === 'in_progress') return { backlog_item: await requireBacklogItem(tx, item.id) };
  await tx.run(`UPDATE backlog_item SET status = 'in_progress', assignee = $3 WHERE workspace_id = $1 AND id = $2`, [
    tx.workspaceId,
    item.id,
    caller.actor.name,
  ]);
  audit({
    type: 'backlog_item.claimed',
    subjectId: item.id,
    payload: { from: item.status, to: 'in_progress', assignee: caller.actor.name },
  });
  return { backlog_item: await requireBacklogItem(tx, item.id) };
});

/**
 * B4: the first ready item that nobody else is taking at this moment. SKIP LOCKED gives many callers different rows
 * instead of a queue for the same one. When that leaves none, the locked ones are waited for: whoever holds one may only
 * be changing its priority, or give up, and then it is still ready. A row is read again as it is when it is free.
 *
 * A row that was locked and then found taken stays locked, whatever the order in which they came: without giving those
 * back first, two callers who wait may each hold what the other waits for (40 callers at 10 items: a deadlock in one round of eight).
 */
async function nextReady({ tx, caller, input }: Context): Promise<LockedItem | null> {
  const project = input.project === undefined ? undefined : await requireProject(tx, input.project);
  const where = new Conditions(tx.workspaceId)
    .and((place) => `i.project_id = ${place}`, project?.id)
    .and((name) => `(i.assignee IS NULL OR i.assignee = ${name})`, caller.actor.name);
  const first = (locked: 'SKIP LOCKED' | '') =>
    tx.first<LockedItem>(
      `SELECT i.id, i.status, i.assignee, i.priority, i.category FROM backlog_item i
       WHERE i.workspace_id = $1 AND ${READY}${where.sql}
       ORDER BY i.priority_rank, i.filed_at, i.id LIMIT 1 FOR NO KEY UPDATE OF i ${locked}`,
      where.parameters,
    );
  tx.send('SAVEPOINT unlocked');
  const free = await first('SKIP LOCKED');
  if (free !== undefined) return free;
  tx.send('ROLLBACK TO SAVEPOINT unlocked');
  return (await first('')) ?? null;
}

/** One's own item in progress is given back as it is: a safe retry. */
async function named({ tx, caller }: Context, id: string): Promise<LockedItem> {
  const item = await lockItem(tx, id);
  refuseFinal(item);
  if (item.assignee !== null && item.assignee !== caller.actor.name) throw alreadyAssigned(item);
  await refuseBlocked(tx, item);
  return item;
}

async function refuseBlocked(tx: Transaction, item: LockedItem): Promise<void> {
  const open = (await blockersOf(tx, item.id)).filter((blocker) => !isFinal(blocker.status));
  if (open.length === 0) return;
  throw new DomainError('illegal_transition', 'The item waits for others that are not closed yet.', {
    backlog_item_id: item.id,
    blocked_by: open.map((blocker) => blocker.id),
  });
}
