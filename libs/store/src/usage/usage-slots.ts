import type { Transaction } from '../transaction.js';

/** What the rules of usage need of a transaction: an operation has one, and so has the worker that applies batches. */
export type UsageTransaction = Pick<Transaction, 'workspaceId' | 'rows' | 'run'>;

const CHOSEN = `
  chosen AS (
    SELECT * FROM usage_report WHERE workspace_id = $1 AND transcript_id = ANY ($2::text[])
  ), told AS (
    SELECT c.transcript_id, m.model, NULL::timestamptz AS at, m.turns, m.input_tokens, m.output_tokens,
      m.cache_write_5m_tokens, m.cache_write_1h_tokens, m.cache_read_tokens
    FROM chosen c CROSS JOIN LATERAL jsonb_to_recordset(c.report -> 'models') AS m (model text, turns bigint,
      input_tokens bigint, output_tokens bigint, cache_write_5m_tokens bigint, cache_write_1h_tokens bigint,
      cache_read_tokens bigint)
  )`;

/** Of transcripts that name no responses the models are all there is; looking for responses took as long as the rest. */
const PIECES_WITHOUT_RESPONSES = 'piece AS (SELECT * FROM told)';

const PIECES = `
  claimed AS (
    SELECT r.*, NOT EXISTS (
      SELECT FROM usage_response o WHERE o.workspace_id = r.workspace_id AND o.hash = r.hash
        AND (o.first_at, o.transcript_id COLLATE "C") < (r.first_at, r.transcript_id COLLATE "C")) AS owned
    FROM usage_response r WHERE r.workspace_id = $1 AND r.transcript_id = ANY ($2::text[])
  ), taken AS (
    SELECT transcript_id, model, NULL::timestamptz AS at, -1 AS turns, -input_tokens AS input_tokens,
      -output_tokens AS output_tokens, -cache_write_5m_tokens AS cache_write_5m_tokens,
      -cache_write_1h_tokens AS cache_write_1h_tokens, -cache_read_tokens AS cache_read_tokens, owned FROM claimed
  ), unsound AS (
    SELECT transcript_id, model FROM (
      SELECT * FROM told UNION ALL SELECT transcript_id, model, at, turns, input_tokens, output_tokens,
        cache_write_5m_tokens, cache_write_1h_tokens, cache_read_tokens FROM taken) rest
    GROUP BY 1, 2 HAVING least(sum(turns), sum(input_tokens), sum(output_tokens), sum(cache_write_5m_tokens),
      sum(cache_write_1h_tokens), sum(cache_read_tokens)) < 0
  ), piece AS (
    SELECT * FROM told
    UNION ALL
    SELECT t.transcript_id, t.model, t.at, t.turns, t.input_tokens, t.output_tokens, t.cache_write_5m_tokens,
      t.cache_write_1h_tokens, t.cache_read_tokens
    FROM taken t LEFT JOIN unsound n USING (transcript_id, model) WHERE n.model IS NULL OR NOT t.owned
    UNION ALL
    SELECT t.transcript_id, t.model, t.first_at, 1, t.input_tokens, t.output_tokens, t.cache_write_5m_tokens,
      t.cache_write_1h_tokens, t.cache_read_tokens
    FROM claimed t LEFT JOIN unsound n USING (transcript_id, model) WHERE n.model IS NULL AND t.owned
  )`;

const DERIVED = `
  derived AS (
    SELECT c.transcript_id, p.model,
      date_bin('15 minutes', coalesce(p.at, c.first_at, c.last_at, c.reported_at), '2000-01-01Z') AS slot_at,
      greatest(sum(p.turns), 0)::bigint AS turns, greatest(sum(p.input_tokens), 0)::bigint AS input_tokens,
      greatest(sum(p.output_tokens), 0)::bigint AS output_tokens, greatest(sum(p.cache_write_5m_tokens), 0)::bigint AS cache_write_5m_tokens,
      greatest(sum(p.cache_write_1h_tokens), 0)::bigint AS cache_write_1h_tokens, greatest(sum(p.cache_read_tokens), 0)::bigint AS cache_read_tokens
    FROM piece p JOIN chosen c USING (transcript_id)
    GROUP BY c.transcript_id, p.model, 3
    HAVING greatest(sum(p.turns), sum(p.input_tokens), sum(p.output_tokens), sum(p.cache_write_5m_tokens),
      sum(p.cache_write_1h_tokens), sum(p.cache_read_tokens)) > 0
  )`;

/**
 * What the transcripts `$2` count for, one row by model and quarter of an hour: what their models say, less the
 * responses that they name, plus those of them that they own (U6). A response stands at its own time; the rest of a
 * report at the beginning of its transcript, so that a later report of it moves nothing to another day.
 *
 * Where the responses of a model bring more than the model says, the model is believed: it stands at the beginning, less
 * what others own of it and never below zero.
 */
export const DERIVED_SLOTS = [CHOSEN, PIECES, DERIVED].join(', ');

/**
 * The actor is the one of the build session, where there is one: a batch job reports for many. The project of a session
 * is looked up when totals are read, because a session can change it.
 */
const insertSlots = (derived: string) => `
  WITH ${derived}
  INSERT INTO usage_slot (workspace_id, transcript_id, model, slot_at, build_session_id, project_id, actor_id, client,
    is_child, is_estimated, turns, input_tokens, output_tokens, cache_write_5m_tokens, cache_write_1h_tokens,
    cache_read_tokens)
  SELECT $1, d.transcript_id, d.model, d.slot_at, c.build_session_id, c.project_id, coalesce(s.actor_id, c.actor_id),
    c.client, c.parent_transcript_id IS NOT NULL, c.is_estimated, d.turns, d.input_tokens, d.output_tokens,
    d.cache_write_5m_tokens, d.cache_write_1h_tokens, d.cache_read_tokens
  FROM derived d JOIN chosen c USING (transcript_id)
  LEFT JOIN build_session s ON s.workspace_id = $1 AND s.id = c.build_session_id`;

const INSERT_SLOTS = insertSlots(DERIVED_SLOTS);
const INSERT_SLOTS_WITHOUT_RESPONSES = insertSlots([CHOSEN, PIECES_WITHOUT_RESPONSES, DERIVED].join(', '));

/**
 * Replaces what the transcripts count for. `replaced` is false where none of them can have counted yet, `responses`
 * where none of them names any.
 */
export async function deriveSlots(
  tx: UsageTransaction,
  transcriptIds: readonly string[],
  { replaced, responses }: { replaced: boolean; responses: boolean },
): Promise<void> {
  if (transcriptIds.length === 0) return;
  const parameters = [tx.workspaceId, transcriptIds];
  if (replaced)
    await tx.run('DELETE FROM usage_slot WHERE workspace_id = $1 AND transcript_id = ANY ($2::text[])', parameters);
  await tx.run(responses ? INSERT_SLOTS : INSERT_SLOTS_WITHOUT_RESPONSES, parameters);
}
