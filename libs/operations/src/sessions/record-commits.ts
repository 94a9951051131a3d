import type { Transaction } from '@perdure/store';

export interface CommitInput {
  readonly sha: string;
  readonly paths?: readonly string[] | undefined;
}

/**
 * Records commits of a session; one recorded before stays one row and gains the paths that it lacked.
 *
 * @returns how many were new, and how many rows were written at all
 */
export async function recordCommits(
  tx: Transaction,
  sessionId: string,
  commits: readonly CommitInput[],
  { eventId, now }: { eventId: string; now: string },
): Promise<{ added: number; written: number }> {
  let added = 0;
  let written = 0;
  // In one order for every caller, so that two calls with the same commits cannot deadlock.
  for (const { sha, paths = [] } of commits.toSorted((a, b) => (a.sha < b.sha ? -1 : 1))) {
    const row = await tx.first<{ is_new: boolean }>(
      `INSERT INTO build_session_commit AS c (workspace_id, build_session_id, sha, paths, recorded_at, audit_event_id)
       VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (workspace_id, build_session_id, sha) DO UPDATE
       SET paths = ARRAY(SELECT DISTINCT unnest(c.paths || excluded.paths) ORDER BY 1)
       WHERE NOT c.paths @> excluded.paths
       RETURNING (xmax = 0) AS is_new`,
      [tx.workspaceId, sessionId, sha, paths, now, eventId],
    );
    if (row === undefined) continue;
    written += 1;
    if (row.is_new) added += 1;
  }
  return { added, written };
}
