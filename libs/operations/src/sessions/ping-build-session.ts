import { catalogue } from '@perdure/contracts';
import { implement } from '../dispatcher/implement.js';
import { noSuchSession } from './find-build-session.js';

interface PingedRow {
  readonly last_pinged_at: string;
}

/**
 * S7: one UPDATE; `greatest` keeps the instant from going back when a clock does. Its commit does not wait for the disk
 * (ADR 0020): a crash of Postgres may take back the pings of its last second, and the next ones repeat them.
 */
export const pingBuildSessionHandler = implement(catalogue.sessions.pingBuildSession, async ({ tx, input, now }) => {
  const id = input.build_session_id;
  tx.send('SET LOCAL synchronous_commit = off');
  const pinged = await tx.first<PingedRow>(
    `UPDATE build_session SET last_pinged_at = greatest(last_pinged_at, $3)
     WHERE workspace_id = $1 AND id = $2 AND status = 'active'
     RETURNING perdure_instant(last_pinged_at) AS last_pinged_at`,
    [tx.workspaceId, id, now],
  );
  if (pinged !== undefined) return { build_session_id: id, last_pinged_at: pinged.last_pinged_at, pinged: true };
  const ended = await tx.first<PingedRow>(
    `SELECT perdure_instant(last_pinged_at) AS last_pinged_at FROM build_session WHERE workspace_id = $1 AND id = $2`,
    [tx.workspaceId, id],
  );
  if (ended === undefined) throw noSuchSession();
  return { build_session_id: id, last_pinged_at: ended.last_pinged_at, pinged: false };
});
