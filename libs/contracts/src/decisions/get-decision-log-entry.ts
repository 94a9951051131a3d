import { z } from 'zod';
import { defineOperation } from '../define-operation.js';
import { id } from '../fields.js';
import { decisionObject, listedDecisionObject } from '../objects/decision.js';

export const getDecisionLogEntry = defineOperation({
  name: 'get_decision_log_entry',
  area: 'decisions',
  toolSet: 'decisions',
  kind: 'query',
  title: 'Get a decision',
  summary: 'Return one decision whole, with the entry it supersedes and the one that superseded it.',
  input: z.strictObject({ decision_id: id() }),
  output: z.object({
    decision: decisionObject,
    supersedes: listedDecisionObject.nullable(),
    superseded_by: listedDecisionObject.nullable(),
  }),
  scope: 'decisions:read',
  errors: ['not_found'],
  audits: [],
  idempotent: true,
  route: { method: 'GET', path: '/v1/decision-log/{decision_id}' },
});
