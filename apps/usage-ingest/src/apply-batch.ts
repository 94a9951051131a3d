import { withConnection } from '@perdure/service';
import type { Pool, PoolClient } from 'pg';
import { readItems, writeResults, type BatchItem, type ItemResult } from './batch-items.js';
import { upsertReport, type ReportOrigin } from './upsert-report.js';
import { describeIssue, usageReport, type UsageReport } from './usage-report.js';

interface ReceivedBatch {
  workspace_id: string;
  id: string;
  actor_id: string;
  received_at: string;
}

export type ResultCounts = Record<ItemResult['status'], number>;

export interface AppliedBatch {
  workspaceId: string;
  batchId: string;
  counts: ResultCounts;
}

/** A batch could not be applied as a whole; it stays received. */
export class BatchError extends Error {
  constructor(
    readonly batchId: string,
    readonly workspaceId: string,
    options: { cause: unknown },
  ) {
    super('the batch could not be applied', options);
    this.name = 'BatchError';
  }
}

/** Batches that failed before come last, so that one which always fails holds up nobody. */
const OLDEST_RECEIVED = `
  SELECT workspace_id, id, actor_id, perdure_instant(received_at) AS received_at FROM usage_batch
  WHERE status = 'received' ORDER BY id = ANY ($1::text[]), received_at, id LIMIT 1 FOR UPDATE SKIP LOCKED`;

/**
 * Applies the oldest batch that nobody else applies: reports, results and the batch's status in one transaction, so
 * that a worker killed anywhere leaves either all of it or a received batch. Null when none waits.
 * Throws a BatchError when this batch cannot be applied, else what the database threw.
 */
export function applyOldestBatch(pool: Pool, failedBefore: ReadonlySet<string>): Promise<AppliedBatch | null> {
  return withConnection(
    () => pool.connect(),
    async (client) => {
      await client.query('BEGIN ISOLATION LEVEL READ COMMITTED');
      try {
        const { rows } = await client.query<ReceivedBatch>(OLDEST_RECEIVED, [[...failedBefore]]);
        const applied = rows[0] ? await applyBatch(client, rows[0]) : null;
        await client.query('COMMIT');
        return applied;
      } catch (error) {
        await client.query('ROLLBACK').catch(() => undefined); // a lost connection has rolled back already
        throw error;
      }
    },
  );
}

async function applyBatch(client: PoolClient, batch: ReceivedBatch): Promise<AppliedBatch> {
  const { workspace_id: workspaceId, id: batchId } = batch;
  try {
    // The inbox is open to this role across workspaces; everything else only within the batch's own.
    await client.query(`SELECT set_config('perdure.workspace_id', $1, true)`, [workspaceId]);
    const origin: ReportOrigin = { workspaceId, actorId: batch.actor_id, reportedAt: batch.received_at };
    const results = await applyItems(client, await readItems(client, workspaceId, batchId), origin);
    await writeResults(client, { workspaceId, batchId }, results);
    const counts = countsOf(results);
    await client.query(
      `UPDATE usage_batch SET status = 'applied', counts = $3, applied_at = clock_timestamp() WHERE workspace_id = $1 AND id = $2`,
      [workspaceId, batchId, JSON.stringify(counts)],
    );
    return { workspaceId, batchId, counts };
  } catch (error) {
    if (!isAboutBatch(error)) throw error;
    throw new BatchError(batchId, workspaceId, { cause: error });
  }
}

/**
 * Whether trying this batch again can be expected to fail again: its values (SQLSTATE classes 21 to 23), statements that
 * do not fit them (42), limits (54, 57014), or a fault of ours. Lost connections, deadlocks and full disks pass.
 */
function isAboutBatch(error: unknown): boolean {
  if (error instanceof TypeError || error instanceof RangeError) return true;
  return /^(2[1-3]|42|54)...$|^57014$/.test(sqlStateOf(error));
}

function sqlStateOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}

type ReadItem = { line: number } & ({ report: UsageReport } | { rejected: string });

async function applyItems(
  client: PoolClient,
  items: readonly BatchItem[],
  origin: ReportOrigin,
): Promise<ItemResult[]> {
  const results: ItemResult[] = [];
  for (const item of inOrder(items.map(readItem))) results.push(await applyItem(client, item, origin));
  return results;
}

function readItem({ line, report }: BatchItem): ReadItem {
  const parsed = usageReport.safeParse(report);
  return parsed.success ? { line, report: parsed.data } : { line, rejected: describeIssue(parsed.error) };
}

/** By transcript, so that two batches with the same transcripts lock them in the same order; by line within one. */
function inOrder(items: readonly ReadItem[]): ReadItem[] {
  const keyOf = (item: ReadItem) => ('report' in item ? item.report.transcript_id : '');
  return items.toSorted((a, b) => {
    const [left, right] = [keyOf(a), keyOf(b)];
    if (left === right) return a.line - b.line;
    return left < right ? -1 : 1;
  });
}

async function applyItem(client: PoolClient, item: ReadItem, origin: ReportOrigin): Promise<ItemResult> {
  const { line } = item;
  if ('rejected' in item) return { line, status: 'rejected', code: 'invalid_input', message: item.rejected };
  await client.query('SAVEPOINT item');
  try {
    const status = await upsertReport(client, item.report, origin);
    await client.query('RELEASE SAVEPOINT item');
    return { line, status, code: null, message: null };
  } catch (error) {
    const refusal = refusalOf(error);
    if (!refusal) throw error;
    await client.query('ROLLBACK TO SAVEPOINT item');
    return { line, status: 'rejected', ...refusal };
  }
}

/** What a refusal of the database says about the item; null when it says nothing about it, as a lost connection. */
function refusalOf(error: unknown): Pick<ItemResult, 'code' | 'message'> | null {
  const code = sqlStateOf(error);
  // 23503: the one reference of a report that its sender names.
  if (code === '23503') return { code: 'not_found', message: 'build_session_id: there is no such build session' };
  if (/^2[23]...$/.test(code))
    return { code: 'invalid_input', message: 'the report holds a value that cannot be stored' };
  return null;
}

function countsOf(results: readonly ItemResult[]): ResultCounts {
  const counts: ResultCounts = { accepted: 0, overwritten: 0, unchanged: 0, stale_ignored: 0, rejected: 0 };
  for (const { status } of results) counts[status] += 1;
  return counts;
}
