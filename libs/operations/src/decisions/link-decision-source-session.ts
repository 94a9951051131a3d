import { catalogue } from '@perdure/contracts';
import { implement } from '../dispatcher/implement.js';
import { linkSource } from './link-source.js';

export const linkDecisionSourceSessionHandler = implement(
  catalogue.decisions.linkDecisionSourceSession,
  async (context) => ({
    decision: await linkSource(context, {
      decisionId: context.input.decision_id,
      column: 'build_session_id',
      table: 'build_session',
      targetId: context.input.build_session_id,
    }),
  }),
);
