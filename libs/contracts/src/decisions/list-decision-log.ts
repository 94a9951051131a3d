import { z } from 'zod';
import { defineOperation } from '../define-operation.js';
import { date, id, LIMITS, line, pageInput, pageOf, projectReference, repositoryPath } from '../fields.js';
import { DECISION_KINDS, listedDecisionObject } from '../objects/decision.js';

export const listDecisionLog = defineOperation({
  name: 'list_decision_log',
  area: 'decisions',
  toolSet: 'decisions',
  kind: 'query',
  title: 'List decisions',
  summary: `List decisions without their rationale, newest first, ${LIMITS.defaultPage} a page. Superseded entries are left out unless include_superseded is true.`,
  input: z.strictObject({
    project: projectReference().optional(),
    build_session_id: id().optional(),
    kind: z.enum(DECISION_KINDS).optional(),
    changes_public_contract: z.boolean().optional(),
    tag: line().optional(),
    path: repositoryPath().optional(),
    decided_from: date().optional(),
    decided_to: date().optional(),
    include_superseded: z.boolean().optional(),
    ...pageInput,
  }),
  output: pageOf(listedDecisionObject),
  scope: 'decisions:read',
  errors: ['not_found', 'invalid_cursor'],
  audits: [],
  idempotent: true,
  route: { method: 'GET', path: '/v1/decision-log' },
});
