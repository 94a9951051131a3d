import { z } from 'zod';
import { defineOperation } from '../define-operation.js';
import { projectReference } from '../fields.js';

export const exportRules = defineOperation({
  name: 'export_rules',
  area: 'rules',
  toolSet: 'rules',
  kind: 'query',
  title: 'Export rules',
  summary:
    'Return the active rules as files of Cursor or Claude Code, one a rule, with warnings where the format cannot say what the rule says.',
  input: z.strictObject({ format: z.enum(['cursor', 'claude']), project: projectReference().optional() }),
  output: z.object({
    files: z.array(z.object({ path: z.string(), content: z.string() })),
    warnings: z.array(z.object({ rule_id: z.string(), message: z.string() })),
  }),
  scope: 'rules:read',
  errors: ['not_found'],
  audits: [],
  idempotent: true,
  route: { method: 'GET', path: '/v1/rules/export' },
});
