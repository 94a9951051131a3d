import { DERIVED_SLOTS, type UsageTransaction } from './usage-slots.js';

/** A transcript whose slots are not what its current report makes them. */
export interface UsageMismatch {
  readonly transcript_id: string;
  readonly model: string;
  readonly slot_at: string;
}

/** Transcripts at once: bounds the memory of the statement, not the check. */
const AT_ONCE = 2_000;

/**
 * Both ways round: a slot that is missing or differs, and one that no report accounts for. Everything that a slot holds is
 * compared, its labels too.
 */
const COMPARE = `
  WITH ${DERIVED_SLOTS}, expected AS (
    SELECT d.*, c.build_session_id, c.project_id, coalesce(s.actor_id, c.actor_id) AS actor_id, c.client,
      c.parent_transcript_id IS NOT NULL AS is_child, c.is_estimated
    FROM derived d JOIN chosen c USING (transcript_id)
    LEFT JOIN build_session s ON s.workspace_id = $1 AND s.id = c.build_session_id
  ), kept AS (
    SELECT transcript_id, model, slot_at, turns, input_tokens, output_tokens, cache_write_5m_tokens,
      cache_write_1h_tokens, cache_read_tokens, build_session_id, project_id, actor_id, client, is_child, is_estimated
    FROM usage_slot WHERE workspace_id = $1 AND transcript_id = ANY ($2::text[])
  )
  SELECT DISTINCT transcript_id, model, perdure_instant(slot_at) AS slot_at FROM (
    (SELECT * FROM expected EXCEPT ALL SELECT * FROM kept) UNION ALL (SELECT * FROM kept EXCEPT ALL SELECT * FROM expected)
  ) difference ORDER BY 1, 2, 3`;

/** The next transcripts that have a report or a slot: one left behind by the other is in it too. */
const NEXT = `
  SELECT transcript_id FROM (
    (SELECT transcript_id FROM usage_report WHERE workspace_id = $1 AND transcript_id > $2 ORDER BY 1 LIMIT ${AT_ONCE})
    UNION
    (SELECT transcript_id FROM usage_slot WHERE workspace_id = $1 AND transcript_id > $2 ORDER BY 1 LIMIT ${AT_ONCE})
  ) t ORDER BY 1 LIMIT ${AT_ONCE}`;

/**
 * U4: compares what totals are read from with the sum of the current reports, by the same definition that writes it. Reads
 * only. In a REPEATABLE READ transaction it sees one moment, and no report that is being replaced.
 *
 * @returns every difference; an empty list when the books are right
 */
export async function reconcileUsage(tx: UsageTransaction): Promise<UsageMismatch[]> {
  const mismatches: UsageMismatch[] = [];
  let after = '';
  for (;;) {
    const rows = await tx.rows<{ transcript_id: string }>(NEXT, [tx.workspaceId, after]);
    const ids = rows.map((row) => row.transcript_id);
    if (ids.length > 0) mismatches.push(...(await tx.rows<UsageMismatch>(COMPARE, [tx.workspaceId, ids])));
    const last = ids.at(-1);
    if (last === undefined || ids.length < AT_ONCE) return mismatches;
    after = last;
  }
}
