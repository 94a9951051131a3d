import type { Transaction } from '@perdure/store';
import { noSuchSession, sessionEnded } from './find-build-session.js';

interface LockedState {
  readonly status: 'active' | 'ended';
  readonly ended_at: string | null;
  readonly current_state_markdown: string;
  readonly state_version: number;
}

/**
 * S8: the row stays locked to the commit, so that a second writer sees the first one's state and neither lead is lost.
 * NO KEY: rows that only refer to the session are not held up.
 *
 * @throws DomainError `not_found`, `session_ended`
 */
export async function lockState(tx: Transaction, id: string): Promise<LockedState> {
  const row = await tx.first<LockedState>(
    `SELECT status, perdure_instant(ended_at) AS ended_at, current_state_markdown, state_version
     FROM build_session WHERE workspace_id = $1 AND id = $2 FOR NO KEY UPDATE`,
    [tx.workspaceId, id],
  );
  if (row === undefined) throw noSuchSession();
  if (row.status === 'ended') throw sessionEnded(id, row.ended_at);
  return row;
}

/** Writes the state and returns its new version. */
export async function writeState(tx: Transaction, write: { id: string; state: string; now: string }): Promise<number> {
  const row = await tx.first<{ state_version: number }>(
    `UPDATE build_session SET current_state_markdown = $3, state_version = state_version + 1,
       last_active_at = greatest(last_active_at, $4)
     WHERE workspace_id = $1 AND id = $2 RETURNING state_version`,
    [tx.workspaceId, write.id, write.state, write.now],
  );
  if (row === undefined) throw noSuchSession();
  return row.state_version;
}
