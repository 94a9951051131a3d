import { z } from 'zod';
import { defineOperation } from '../define-operation.js';
import { id } from '../fields.js';
import { ruleObject } from '../objects/rule.js';
import { actorObject } from '../objects/actor.js';

export const getRule = defineOperation({
  name: 'get_rule',
  area: 'rules',
  toolSet: 'rules',
  kind: 'query',
  title: 'Get a rule',
  summary: 'Return one rule whole, with all its revisions, newest first.',
  input: z.strictObject({ rule_id: id() }),
  output: z.object({
    rule: ruleObject,
    revisions: z.array(
      ruleObject
        .pick({
          revision: true,
          title: true,
          body_markdown: true,
          triggers: true,
          always: true,
          severity: true,
          revised_at: true,
        })
        .extend({ actor: actorObject }),
    ),
  }),
  scope: 'rules:read',
  errors: ['not_found'],
  audits: [],
  idempotent: true,
  route: { method: 'GET', path: '/v1/rules/{rule_id}' },
});
