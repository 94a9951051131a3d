import { z } from 'zod';
import { defineOperation } from '../define-operation.js';
import { id, markdown, title } from '../fields.js';
import { RULE_SEVERITIES, ruleObject, ruleTriggersInput } from '../objects/rule.js';

export const reviseRule = defineOperation({
  name: 'revise_rule',
  area: 'rules',
  toolSet: 'rules',
  kind: 'mutation',
  title: 'Revise a rule',
  summary: 'Change a rule; what is not given stays. Every revision is kept.',
  input: z.strictObject({
    rule_id: id(),
    title: title().optional(),
    body_markdown: markdown().optional(),
    triggers: ruleTriggersInput.optional(),
    always: z.boolean().optional(),
    severity: z.enum(RULE_SEVERITIES).optional(),
  }),
  output: z.object({ rule: ruleObject, revision: z.int() }),
  scope: 'rules:write',
  errors: ['not_found', 'invalid_glob', 'invalid_code_pattern', 'conflict', 'secret_detected'],
  audits: ['rule.revised'],
  idempotent: true,
  route: { method: 'POST', path: '/v1/rules/{rule_id}/revisions' },
});
