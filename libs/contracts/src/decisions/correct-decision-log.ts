import { z } from 'zod';
import { defineOperation } from '../define-operation.js';
import { date, id, markdown, paths, tags, title } from '../fields.js';
import { DECISION_KINDS, decisionObject } from '../objects/decision.js';

export const correctDecisionLog = defineOperation({
  name: 'correct_decision_log',
  area: 'decisions',
  toolSet: 'core',
  kind: 'mutation',
  title: 'Correct a decision',
  summary:
    'Append a decision that supersedes an earlier one. Kind, tags and paths are those of the earlier entry unless given. An entry is corrected once; correct the correction after that.',
  input: z.strictObject({
    supersedes_decision_id: id(),
    title: title(),
    rationale_markdown: markdown(),
    decided_on: date(),
    changes_public_contract: z.boolean(),
    kind: z.enum(DECISION_KINDS).optional(),
    tags: tags().optional(),
    paths: paths().optional(),
  }),
  output: z.object({ decision: decisionObject, superseded: decisionObject }),
  scope: 'decisions:write',
  errors: ['not_found', 'already_superseded', 'secret_detected'],
  audits: ['decision.corrected'],
  idempotent: false,
  route: { method: 'POST', path: '/v1/decision-log/{supersedes_decision_id}/corrections', creates: () => true },
});
