import { catalogue, DomainError } from '@perdure/contracts';
import type { Transaction } from '@perdure/store';
import { implement } from '../dispatcher/implement.js';
import { requireBuildSession, requireSessionId, sessionEnded } from './find-build-session.js';

export const linkBuildSessionContinuationHandler = implement(
  catalogue.sessions.linkBuildSessionContinuation,
  async ({ tx, input, audit }) => {
    const { build_session_id: id, predecessor_build_session_id: predecessorId } = input;
    if (id === predecessorId) throw new DomainError('self_link', 'A build session cannot continue itself.');
    await lockContinuations(tx);
    const session = await requireBuildSession(tx, id);
    if (session.continues === predecessorId) return { build_session: session, linked: false };
    await requireSessionId(tx, predecessorId);
    if (session.continues !== null) {
      throw new DomainError('predecessor_conflict', 'The build session continues another session already.', {
        predecessor_build_session_id: session.continues,
      });
    }
    if (session.status === 'ended') throw sessionEnded(id, session.ended_at);
    await refuseCycle(tx, id, predecessorId);
    const linked = await tx.run(
      `UPDATE build_session SET continues_id = $3 WHERE workspace_id = $1 AND id = $2 AND status = 'active'`,
      [tx.workspaceId, id, predecessorId],
    );
    if (linked === 0) throw sessionEnded(id, null); // it ended after it was read
    audit({
      type: 'build_session.continuation_linked',
      subjectId: id,
      payload: { predecessor_build_session_id: predecessorId },
    });
    return { build_session: await requireBuildSession(tx, id), linked: true };
  },
);

/**
 * S6: one link at a time in a workspace. Row locks would not do: two links over four sessions touch no common row and
 * would still close a cycle.
 */
async function lockContinuations(tx: Transaction): Promise<void> {
  await tx.run(`SELECT pg_advisory_xact_lock(hashtextextended('build_session_continuation:' || $1, 0))`, [
    tx.workspaceId,
  ]);
}

/** @throws DomainError `cycle` when the predecessor continues, at any distance, the session itself */
async function refuseCycle(tx: Transaction, id: string, predecessorId: string): Promise<void> {
  const met = await tx.first(
    `WITH RECURSIVE before (id) AS (
       SELECT $3::ulid
       UNION SELECT s.continues_id FROM build_session s JOIN before ON s.workspace_id = $1 AND s.id = before.id
       WHERE s.continues_id IS NOT NULL
     ) SELECT 1 FROM before WHERE id = $2`,
    [tx.workspaceId, id, predecessorId],
  );
  if (met === undefined) return;
  throw new DomainError('cycle', 'The predecessor continues this build session already, directly or through others.', {
    build_session_id: id,
    predecessor_build_session_id: predecessorId,
  });
}
