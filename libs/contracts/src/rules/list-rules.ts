import { z } from 'zod';
import { defineOperation } from '../define-operation.js';
import { line, pageInput, pageOf, projectReference } from '../fields.js';
import { listedRuleObject } from '../objects/rule.js';

export const listRules = defineOperation({
  name: 'list_rules',
  area: 'rules',
  toolSet: 'rules',
  kind: 'query',
  title: 'List rules',
  summary: 'List rules without their texts, newest first. With a project: its own and those of the whole workspace.',
  input: z.strictObject({
    project: projectReference().optional(),
    status: z.enum(['active', 'archived']).optional(),
    search: line().optional(),
    ...pageInput,
  }),
  output: pageOf(listedRuleObject),
  scope: 'rules:read',
  errors: ['not_found', 'invalid_cursor'],
  audits: [],
  idempotent: true,
  route: { method: 'GET', path: '/v1/rules' },
});
