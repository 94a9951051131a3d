import { z } from 'zod';
import { defineOperation } from '../define-operation.js';
import { markdown, projectReference, title } from '../fields.js';
import { RULE_SEVERITIES, ruleObject, ruleTriggersInput } from '../objects/rule.js';

export const createRule = defineOperation({
  name: 'create_rule',
  area: 'rules',
  toolSet: 'rules',
  kind: 'mutation',
  title: 'Create a rule',
  summary:
    'Create a rule with its triggers: path globs, operations, languages, RE2 code patterns, project attributes. Without triggers it never applies unless it is marked `always`.',
  input: z.strictObject({
    title: title(),
    body_markdown: markdown(),
    triggers: ruleTriggersInput,
    always: z.boolean().optional(),
    project: projectReference().optional(),
    severity: z.enum(RULE_SEVERITIES).optional(),
  }),
  output: z.object({ rule: ruleObject }),
  scope: 'rules:write',
  errors: ['not_found', 'invalid_glob', 'invalid_code_pattern', 'secret_detected'],
  audits: ['rule.created'],
  idempotent: false,
  route: { method: 'POST', path: '/v1/rules', creates: () => true },
});
