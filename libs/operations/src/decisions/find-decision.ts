import { type DecisionObject, DomainError } from '@perdure/contracts';
import { findDecision, type Transaction } from '@perdure/store';

/** @throws DomainError `not_found`, the same for an unknown entry and for another workspace's */
export async function requireDecision(tx: Transaction, id: string): Promise<DecisionObject> {
  const decision = await findDecision(tx, id);
  if (decision === undefined) throw new DomainError('not_found', 'There is no such decision in this workspace.');
  return decision;
}
