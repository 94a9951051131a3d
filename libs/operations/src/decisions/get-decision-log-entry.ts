import { catalogue } from '@perdure/contracts';
import { findListedDecision, type ListedDecision, type Transaction } from '@perdure/store';
import { implement } from '../dispatcher/implement.js';
import { requireDecision } from './find-decision.js';

export const getDecisionLogEntryHandler = implement(catalogue.decisions.getDecisionLogEntry, async ({ tx, input }) => {
  const decision = await requireDecision(tx, input.decision_id);
  return {
    decision,
    supersedes: await findIfNamed(tx, decision.supersedes_decision_id),
    superseded_by: await findIfNamed(tx, decision.superseded_by_decision_id),
  };
});

async function findIfNamed(tx: Transaction, id: string | null): Promise<ListedDecision | null> {
  return id === null ? null : ((await findListedDecision(tx, id)) ?? null);
}
