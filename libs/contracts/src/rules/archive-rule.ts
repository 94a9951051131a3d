import { z } from 'zod';
import { defineOperation } from '../define-operation.js';
import { id, line } from '../fields.js';
import { ruleObject } from '../objects/rule.js';

export const archiveRule = defineOperation({
  name: 'archive_rule',
  area: 'rules',
  toolSet: 'rules',
  kind: 'mutation',
  title: 'Archive a rule',
  summary: 'Take a rule out of use, with the reason. Its revisions stay.',
  input: z.strictObject({ rule_id: id(), reason: line() }),
  output: z.object({ rule: ruleObject }),
  scope: 'rules:write',
  errors: ['not_found', 'secret_detected'],
  audits: ['rule.archived'],
  idempotent: true,
  route: { method: 'POST', path: '/v1/rules/{rule_id}/archive' },
});
