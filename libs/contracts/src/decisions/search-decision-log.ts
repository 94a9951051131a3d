import { z } from 'zod';
import { defineOperation } from '../define-operation.js';
import { line, pageInput, pageOf, projectReference } from '../fields.js';
import { listedDecisionObject } from '../objects/decision.js';

export const searchDecisionLog = defineOperation({
  name: 'search_decision_log',
  area: 'decisions',
  toolSet: 'core',
  kind: 'query',
  title: 'Search decisions',
  summary:
    'Search titles and rationales, best first: words match from their beginning, "quoted text" as it stands; identifiers, paths and issue keys are found too. Superseded entries are shown, marked.',
  input: z.strictObject({ query: line(), project: projectReference().optional(), ...pageInput }),
  output: pageOf(
    listedDecisionObject.extend({
      rank: z.number(),
      /** Pieces of text round a match, which stands between « and ». */
      highlights: z.array(z.object({ field: z.enum(['title', 'rationale_markdown']), text: z.string() })),
    }),
  ),
  scope: 'decisions:read',
  errors: ['not_found', 'invalid_cursor'],
  audits: [],
  idempotent: true,
  route: { method: 'GET', path: '/v1/decision-log/search' },
});
