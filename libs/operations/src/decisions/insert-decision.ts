import type { DecisionObject } from '@perdure/contracts';
import { findDecision, type Transaction } from '@perdure/store';

export interface NewDecision {
  readonly id: string;
  readonly projectId: string;
  readonly buildSessionId: string | null;
  readonly actorId: string;
  readonly title: string;
  readonly rationale: string;
  readonly decidedOn: string;
  readonly changesPublicContract: boolean;
  readonly kind: DecisionObject['kind'];
  readonly tags: readonly string[];
  readonly paths: readonly string[];
  readonly supersedesId: string | null;
  readonly now: string;
  readonly eventId: string;
}

/** Appends the row and returns it as it is now read; null when the entry that it corrects has a correction already (D4). */
export async function insertDecision(tx: Transaction, decision: NewDecision): Promise<DecisionObject | null> {
  const insert = tx.run(
    `INSERT INTO decision (workspace_id, id, project_id, build_session_id, actor_id, title, rationale_markdown, decided_on,
       changes_public_contract, kind, tags, paths, supersedes_decision_id, appended_at, audit_event_id)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
     ON CONFLICT (workspace_id, supersedes_decision_id) WHERE supersedes_decision_id IS NOT NULL DO NOTHING`,
    [
      tx.workspaceId,
      decision.id,
      decision.projectId,
      decision.buildSessionId,
      decision.actorId,
      decision.title,
      decision.rationale,
      decision.decidedOn,
      decision.changesPublicContract,
      decision.kind,
      decision.tags,
      decision.paths,
      decision.supersedesId,
      decision.now,
      decision.eventId,
    ],
  );
  // Both travel together; they are carried out in this order.
  const [appended, stored] = await Promise.all([insert, findDecision(tx, decision.id)]);
  if (appended === 0) return null;
  if (stored === undefined) throw new Error('a decision cannot be read in the transaction that appended it');
  return stored;
}
