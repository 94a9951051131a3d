import { catalogue, DomainError, isBlank } from '@perdure/contracts';
import type { Transaction } from '@perdure/store';
import { implement } from '../dispatcher/implement.js';
import { prependLead } from './current-state.js';
import { noSuchSession, sessionEnded } from './find-build-session.js';

export interface LockedState {
  readonly status: 'active' | 'ended';
  readonly ended_at: string | null;
  readonly current_state_markdown: string;
  readonly state_version: number;
}

export const prependBuildSessionLeadHandler = implement(
  catalogue.sessions.prependBuildSessionLead,
  async ({ tx, input, now }) => {
    const id = input.build_session_id;
    if (isBlank(input.new_lead_markdown)) {
      const fields = [{ path: 'new_lead_markdown', message: 'must hold at least one visible character' }];
      throw new DomainError(
        'invalid_input',
        'Invalid input. new_lead_markdown: must hold at least one visible character',
        { fields },
      );
    }
    const before = await lockState(tx, id);
    const { state, changed, droppedLeads } = prependLead(
      before.current_state_markdown,
      input.new_lead_markdown,
      input.on_overflow ?? 'reject',
    );
    const version = changed ? await writeState(tx, { id, state, now }) : before.state_version;
    return { build_session_id: id, current_state_markdown: state, state_version: version, dropped_leads: droppedLeads };
  },
);

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
