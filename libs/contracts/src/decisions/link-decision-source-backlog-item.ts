import { z } from 'zod';
import { defineOperation } from '../define-operation.js';
import { id } from '../fields.js';
import { decisionObject } from '../objects/decision.js';

export const linkDecisionSourceBacklogItem = defineOperation({
  name: 'link_decision_source_backlog_item',
  area: 'decisions',
  toolSet: 'decisions',
  kind: 'mutation',
  title: 'Link a decision to its backlog item',
  summary: 'Say from which backlog item a decision came. The item must be of the same project.',
  input: z.strictObject({ decision_id: id(), backlog_item_id: id() }),
  output: z.object({ decision: decisionObject }),
  scope: 'decisions:write',
  errors: ['not_found'],
  audits: ['decision.source_linked'],
  idempotent: true,
  route: { method: 'PUT', path: '/v1/decision-log/{decision_id}/source-backlog-item' },
});
