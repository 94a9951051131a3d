import type { UsageReport } from '@perdure/contracts';
import type { UsageTransaction } from './usage-slots.js';

/** Other transcripts that name a response of these: what they own depends on it. */
const SHARING = `
  SELECT DISTINCT o.transcript_id FROM usage_response r
  JOIN usage_response o ON o.workspace_id = r.workspace_id AND o.hash = r.hash
  WHERE r.workspace_id = $1 AND r.transcript_id = ANY ($2::text[]) AND o.transcript_id <> ALL ($2::text[])`;

const INSERT = `
  INSERT INTO usage_response (workspace_id, transcript_id, hash, model, first_at, input_tokens, output_tokens,
    cache_write_5m_tokens, cache_write_1h_tokens, cache_read_tokens)
  SELECT $1, transcript_id, decode(hash, 'hex'), model, first_at, input_tokens, output_tokens, cache_write_5m_tokens,
    cache_write_1h_tokens, cache_read_tokens
  FROM unnest($2::text[], $3::text[], $4::text[], $5::timestamptz[], $6::bigint[], $7::bigint[], $8::bigint[],
    $9::bigint[], $10::bigint[]) AS r (transcript_id, hash, model, first_at, input_tokens, output_tokens,
    cache_write_5m_tokens, cache_write_1h_tokens, cache_read_tokens)`;

/**
 * Replaces the responses that these reports name, those of an earlier report of theirs included. Only under the
 * workspace's lock (`lockUsage`): who owns what must not change meanwhile.
 *
 * @returns the other transcripts whose share changed with it
 */
export async function replaceResponses(tx: UsageTransaction, reports: readonly UsageReport[]): Promise<string[]> {
  const ids = [tx.workspaceId, reports.map((report) => report.transcript_id)];
  const before = await tx.rows<{ transcript_id: string }>(SHARING, ids);
  await tx.run('DELETE FROM usage_response WHERE workspace_id = $1 AND transcript_id = ANY ($2::text[])', ids);
  const named = reports.flatMap(({ transcript_id, responses = [] }) =>
    responses.map((response) => ({ transcript_id, ...response })),
  );
  if (named.length === 0) return before.map((row) => row.transcript_id);
  await tx.run(INSERT, [
    tx.workspaceId,
    named.map((response) => response.transcript_id),
    named.map((response) => response.hash),
    named.map((response) => response.model),
    named.map((response) => response.first_at),
    named.map((response) => response.input_tokens),
    named.map((response) => response.output_tokens),
    named.map((response) => response.cache_write_5m_tokens),
    named.map((response) => response.cache_write_1h_tokens),
    named.map((response) => response.cache_read_tokens),
  ]);
  const after = await tx.rows<{ transcript_id: string }>(SHARING, ids);
  return [...new Set([...before, ...after].map((row) => row.transcript_id))];
}

/** Whether a current report of these transcripts names responses; asked before the lock is chosen. */
export async function haveResponses(tx: UsageTransaction, transcriptIds: readonly string[]): Promise<boolean> {
  const rows = await tx.rows(
    'SELECT FROM usage_report WHERE workspace_id = $1 AND transcript_id = ANY ($2::text[]) AND has_responses LIMIT 1',
    [tx.workspaceId, transcriptIds],
  );
  return rows.length > 0;
}

const LOCK_KEY = `hashtextextended('perdure.usage/' || $1, 0)`;

/**
 * Reports without responses go side by side; one with responses has its workspace for itself, because two that share
 * a response and do not see each other would both own it. Held to the end of the transaction.
 */
export async function lockUsage(tx: UsageTransaction, { alone }: { alone: boolean }): Promise<void> {
  const lock = alone ? 'pg_advisory_xact_lock' : 'pg_advisory_xact_lock_shared';
  await tx.run(`SELECT ${lock}(${LOCK_KEY})`, [tx.workspaceId]);
}
