import { z } from 'zod';
import { defineOperation } from '../define-operation.js';
import { LIMITS, attributes, freeText, id, line, projectReference } from '../fields.js';
import { applicableRuleObject, nearMissObject } from '../objects/rule.js';

export const queryApplicableRules = defineOperation({
  name: 'query_applicable_rules',
  area: 'rules',
  toolSet: 'core',
  kind: 'query',
  title: 'Rules that apply to a change',
  summary:
    'Before a change: the rules that apply to it, by file paths, operations (such as commit, deploy), languages, code (text or a diff) and project attributes. Every populated dimension of a rule must match. Name your build session, and what it has been told already comes back short; `full` overrides. `explain` lists near misses. Send the lines that change rather than whole files: where code is too long for a complex pattern, `too_large` says how long it may be.',
  input: z.strictObject({
    project: projectReference().optional(),
    build_session_id: id().optional(),
    file_paths: z.array(freeText(LIMITS.path)).max(1_000).optional(),
    operations: z.array(line()).max(LIMITS.array).optional(),
    languages: z.array(line()).max(LIMITS.array).optional(),
    code: freeText(400_000).optional(),
    project_attributes: attributes().optional(),
    explain: z.boolean().optional(),
    full: z.boolean().optional(),
  }),
  output: z.object({ rules: z.array(applicableRuleObject), near_misses: z.array(nearMissObject).optional() }),
  scope: 'rules:read',
  errors: ['not_found', 'secret_detected', 'too_large'],
  audits: [],
  idempotent: true,
  route: { method: 'POST', path: '/v1/rules/query' },
});
