import { z } from 'zod';
import { defineOperation } from '../define-operation.js';
import { id } from '../fields.js';
import { decisionObject } from '../objects/decision.js';

export const getDecisionLogHistory = defineOperation({
  name: 'get_decision_log_history',
  area: 'decisions',
  toolSet: 'decisions',
  kind: 'query',
  title: 'Get the history of a decision',
  summary: 'Return the whole correction chain of which this entry is part, oldest first.',
  input: z.strictObject({ decision_id: id() }),
  output: z.object({ decisions: z.array(decisionObject) }),
  scope: 'decisions:read',
  errors: ['not_found'],
  audits: [],
  idempotent: true,
  route: { method: 'GET', path: '/v1/decision-log/{decision_id}/history' },
});
