import { z } from 'zod';
import { defineOperation } from '../define-operation.js';
import { id, slug, uniqueArray } from '../fields.js';
import { actorObject } from '../objects/actor.js';
import { usageTotalsObject } from '../objects/usage-totals.js';
import { timeZone, usageRange } from './usage-range.js';

const USAGE_GROUPS = ['project', 'actor', 'model', 'client', 'day', 'build_session'] as const;

/** Totals of which some are estimates say so (U7). */
const markedTotals = usageTotalsObject.extend({
  estimated: z.boolean().describe('Some of it was reported as estimated.'),
});

export const summariseUsage = defineOperation({
  name: 'summarise_usage',
  area: 'usage',
  toolSet: 'usage',
  kind: 'query',
  title: 'Summarise token usage',
  summary:
    'Total the reported token counts of a range, by project, actor, model, client, day and build session in any combination. Days are those of `timezone` (UTC when left out). Self-reported counts, not money.',
  input: z.strictObject({
    ...usageRange,
    timezone: timeZone().optional(),
    group_by: uniqueArray(z.enum(USAGE_GROUPS), USAGE_GROUPS.length),
    include_children: z.boolean().optional().describe('Transcripts of sub-agents too; true when left out.'),
  }),
  output: z.object({
    rows: z.array(
      markedTotals.extend({
        project: z.object({ id: id(), slug: slug() }).nullable().optional(),
        actor: actorObject.optional(),
        model: z.string().optional(),
        client: z.string().optional(),
        day: z.string().optional(),
        build_session: id().nullable().optional(),
      }),
    ),
    totals: markedTotals,
  }),
  scope: 'usage:read',
  errors: ['too_large'],
  audits: [],
  idempotent: true,
  route: { method: 'GET', path: '/v1/usage/summary' },
});
