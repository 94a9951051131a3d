import { z } from 'zod';
import { defineOperation } from '../define-operation.js';
import { count, projectReference } from '../fields.js';
import { BACKLOG_PRIORITIES, BACKLOG_STATUSES } from '../objects/backlog-item.js';

export const countBacklogItems = defineOperation({
  name: 'count_backlog_items',
  area: 'backlog',
  toolSet: 'backlog',
  kind: 'query',
  title: 'Count backlog items',
  summary: 'How many items there are by status and by priority.',
  input: z.strictObject({ project: projectReference().optional() }),
  output: z.object({
    by_status: z.record(z.enum(BACKLOG_STATUSES), count()),
    by_priority: z.record(z.enum(BACKLOG_PRIORITIES), count()),
  }),
  scope: 'backlog:read',
  errors: ['not_found'],
  audits: [],
  idempotent: true,
  route: { method: 'GET', path: '/v1/backlog-items/counts' },
});
