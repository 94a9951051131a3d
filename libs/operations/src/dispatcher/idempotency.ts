import { createHash } from 'node:crypto';
import { jcsText } from '@perdure/audit-chain';
import { DomainError, type OperationContract } from '@perdure/contracts';
import type { Transaction } from '@perdure/store';

/** How long the first answer stands for a key (T4). */
const KEPT_HOURS = 24;

export interface IdempotentCall {
  readonly contract: OperationContract;
  readonly actorId: string;
  readonly key: string;
  readonly input: unknown;
  readonly now: string;
}

type Answer = Readonly<Record<string, unknown>>;

/**
 * Takes the key inside the caller's transaction, or returns the answer of the call that had it before. A second sender
 * waits on the row until the first commits (and then gets its answer) or rolls back (and then takes the key): record
 * and work commit together, so a crash between them cannot strand a key.
 *
 * @throws DomainError `idempotency_mismatch` when the key came with another input
 */
export async function takeKey(tx: Transaction, call: IdempotentCall): Promise<Answer | null> {
  const digest = inputDigest(call.input);
  const taken = await tx.run(
    `INSERT INTO idempotency_record AS r (workspace_id, actor_id, operation, key, input_digest, created_at)
     VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (workspace_id, actor_id, operation, key)
     DO UPDATE SET input_digest = excluded.input_digest, answer = NULL, created_at = excluded.created_at
     WHERE r.created_at < excluded.created_at - make_interval(hours => $7)`,
    [tx.workspaceId, call.actorId, call.contract.name, call.key, digest, call.now, KEPT_HOURS],
  );
  if (taken > 0) return null;
  const earlier = await tx.first<{ input_digest: Buffer; answer: string }>(
    `SELECT input_digest, answer FROM idempotency_record
     WHERE workspace_id = $1 AND actor_id = $2 AND operation = $3 AND key = $4`,
    [tx.workspaceId, call.actorId, call.contract.name, call.key],
  );
  if (earlier === undefined) throw new Error('an idempotency record vanished while it was read');
  if (!earlier.input_digest.equals(digest)) {
    throw new DomainError('idempotency_mismatch', 'This idempotency key was used with other arguments.', {
      operation: call.contract.name,
    });
  }
  return JSON.parse(earlier.answer) as Answer; // written by keepAnswer below
}

/** Stores the answer for replays; what is disclosed once is kept as null. */
export function keepAnswer(tx: Transaction, call: IdempotentCall, output: Answer): void {
  const hidden = Object.fromEntries((call.contract.disclosedOnce ?? []).map((key) => [key, null]));
  tx.send(
    `UPDATE idempotency_record SET answer = $5
     WHERE workspace_id = $1 AND actor_id = $2 AND operation = $3 AND key = $4`,
    [tx.workspaceId, call.actorId, call.contract.name, call.key, JSON.stringify({ ...output, ...hidden })],
  );
}

/** Of the input as it was parsed, whatever the order of its keys; through JSON, which drops arguments left undefined. */
function inputDigest(input: unknown): Buffer {
  return createHash('sha256')
    .update(jcsText(JSON.parse(JSON.stringify(input))))
    .digest();
}
