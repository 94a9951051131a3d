import { catalogue } from '@perdure/contracts';
import { decisionChain } from '@perdure/store';
import { implement } from '../dispatcher/implement.js';
import { requireDecision } from './find-decision.js';

export const getDecisionLogHistoryHandler = implement(
  catalogue.decisions.getDecisionLogHistory,
  async ({ tx, input }) => {
    await requireDecision(tx, input.decision_id);
    return { decisions: await decisionChain(tx, input.decision_id) };
  },
);
