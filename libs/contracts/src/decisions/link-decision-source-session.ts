import { z } from 'zod';
import { defineOperation } from '../define-operation.js';
import { id } from '../fields.js';
import { decisionObject } from '../objects/decision.js';

export const linkDecisionSourceSession = defineOperation({
  name: 'link_decision_source_session',
  area: 'decisions',
  toolSet: 'decisions',
  kind: 'mutation',
  title: 'Link a decision to its build session',
  summary: 'Say in which build session a decision was made. The session must be of the same project.',
  input: z.strictObject({ decision_id: id(), build_session_id: id() }),
  output: z.object({ decision: decisionObject }),
  scope: 'decisions:write',
  errors: ['not_found'],
  audits: ['decision.source_linked'],
  idempotent: true,
  route: { method: 'PUT', path: '/v1/decision-log/{decision_id}/source-session' },
});
