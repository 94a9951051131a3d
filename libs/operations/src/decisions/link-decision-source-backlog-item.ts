import { catalogue } from '@perdure/contracts';
import { implement } from '../dispatcher/implement.js';
import { linkSource } from './link-source.js';

export const linkDecisionSourceBacklogItemHandler = implement(
  catalogue.decisions.linkDecisionSourceBacklogItem,
  async (context) => ({
    decision: await linkSource(context, {
      decisionId: context.input.decision_id,
      column: 'backlog_item_id',
      table: 'backlog_item',
      targetId: context.input.backlog_item_id,
    }),
  }),
);
