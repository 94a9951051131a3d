import { DomainError, type OperationContract } from '@perdure/contracts';
import { type Transaction, withWorkspace, type WorkspaceStanding } from '@perdure/store';
import type { DataSource } from 'typeorm';

/** What is stored is measured again at most this often, and only when a quota is about to refuse. */
const MEASURED_FOR_MS = 60_000;

/** Said by a write that its quota would refuse by a measure that is too old to refuse by. */
export class StorageUnmeasured extends Error {}

interface Write {
  readonly contract: OperationContract;
  readonly standing: WorkspaceStanding | null;
  readonly input: unknown;
  readonly now: Date;
}

/**
 * Lets a write into its workspace, or refuses it: a suspended workspace and one that is about to be deleted can be read
 * only (I4); one that stored as much as it may can still manage its access and erase.
 *
 * @returns how many bytes the write adds to what is stored; null when nobody counts
 * @throws DomainError `workspace_suspended`, `quota_exceeded`, `unauthenticated` when the workspace is gone
 * @throws StorageUnmeasured
 */
export function admitWrite({ contract, standing, input, now }: Write): number | null {
  if (standing === null) throw new DomainError('unauthenticated', 'The workspace of this credential does not exist.');
  if (standing.status !== 'active') {
    const why = standing.status === 'suspended' ? 'is suspended' : 'is about to be deleted';
    throw new DomainError('workspace_suspended', `The workspace ${why}: nothing can be written.`);
  }
  const limit = standing.quota.storedBytes;
  if (limit === null || contract.area === 'access' || contract.area === 'audit') return null;
  const bytes = Buffer.byteLength(JSON.stringify(input));
  const stored = standing.storedBytes ?? Number.POSITIVE_INFINITY;
  if (stored + bytes <= limit) return bytes;
  const measuredAt = standing.storedBytesMeasuredAt?.getTime() ?? Number.NEGATIVE_INFINITY;
  if (measuredAt < now.getTime() - MEASURED_FOR_MS)
    throw new StorageUnmeasured('what is stored was measured too long ago');
  throw new DomainError('quota_exceeded', 'The workspace has stored as much as its quota allows.', {
    quota: 'stored_bytes',
    limit,
    used: stored,
  });
}

/**
 * Adds a write to what is stored; sent with the commit. The last statement before it: others of the workspace wait for
 * this row.
 */
export function countStored(tx: Transaction, bytes: number): void {
  tx.send('UPDATE workspace SET stored_bytes = stored_bytes + $2 WHERE workspace_id = $1', [tx.workspaceId, bytes]);
}

/** Measures what a workspace stores, in a transaction of its own. */
export function measureStorage(dataSource: DataSource, workspaceId: string, now: Date): Promise<void> {
  return withWorkspace(dataSource, workspaceId, (tx) => measureStored(tx, now.toISOString()));
}

/**
 * Measures what the transaction's workspace stores: the rows of every table, long texts as they are compressed.
 *
 * @param ifBefore leaves a measure of this moment or later as it is
 */
export async function measureStored(tx: Transaction, now: string, ifBefore: Date | null = null): Promise<void> {
  await tx.run(
    `UPDATE workspace SET stored_bytes = perdure_stored_bytes(), stored_bytes_measured_at = $2
     WHERE workspace_id = $1
       AND ($3::timestamptz IS NULL OR stored_bytes_measured_at IS NULL OR stored_bytes_measured_at < $3)`,
    [tx.workspaceId, now, ifBefore],
  );
}
