import type { RuleObject } from '@perdure/contracts';
import type { Transaction } from '@perdure/store';

/** Which of the rules were told to the session before, in the revision that they have now. */
export async function alreadyDelivered(
  tx: Transaction,
  buildSessionId: string,
  rules: readonly RuleObject[],
): Promise<ReadonlySet<string>> {
  const rows = await tx.rows<{ rule_id: string }>(
    `SELECT d.rule_id FROM rule_delivery d JOIN unnest($3::text[], $4::int[]) AS r (id, revision)
       ON r.id = d.rule_id AND r.revision = d.revision
     WHERE d.workspace_id = $1 AND d.build_session_id = $2`,
    [tx.workspaceId, buildSessionId, rules.map((rule) => rule.id), rules.map((rule) => rule.revision)],
  );
  return new Set(rows.map((row) => row.rule_id));
}

/** Remembers what is being told. Rows in one order, so that two queries of one session cannot deadlock. */
export async function rememberDelivered(
  tx: Transaction,
  buildSessionId: string,
  rules: readonly RuleObject[],
  now: string,
): Promise<void> {
  if (rules.length === 0) return;
  const inOrder = rules.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  await tx.run(
    `INSERT INTO rule_delivery (workspace_id, build_session_id, rule_id, revision, delivered_at)
     SELECT $1, $2, r.id, r.revision, $5::timestamptz FROM unnest($3::text[], $4::int[]) AS r (id, revision)
     ON CONFLICT (workspace_id, build_session_id, rule_id)
     DO UPDATE SET revision = excluded.revision, delivered_at = excluded.delivered_at`,
    [tx.workspaceId, buildSessionId, inOrder.map((rule) => rule.id), inOrder.map((rule) => rule.revision), now],
  );
}

/** R6: after a clear or a compaction the session has forgotten what it was told. */
export async function forgetDelivered(tx: Transaction, buildSessionId: string): Promise<void> {
  await tx.run(`DELETE FROM rule_delivery WHERE workspace_id = $1 AND build_session_id = $2`, [
    tx.workspaceId,
    buildSessionId,
  ]);
}
