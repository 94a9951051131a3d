import { z } from 'zod';
import { defineOperation } from '../define-operation.js';
import { id } from '../fields.js';
import { BACKLOG_CATEGORIES, BACKLOG_PRIORITIES, backlogItemObject } from '../objects/backlog-item.js';

export const reprioritiseBacklogItem = defineOperation({
  name: 'reprioritise_backlog_item',
  area: 'backlog',
  toolSet: 'backlog',
  kind: 'mutation',
  title: 'Reprioritise a backlog item',
  summary: 'Change the priority or the category of an item.',
  input: z.strictObject({
    backlog_item_id: id(),
    priority: z.enum(BACKLOG_PRIORITIES).optional(),
    category: z.enum(BACKLOG_CATEGORIES).optional(),
  }),
  output: z.object({ backlog_item: backlogItemObject }),
  scope: 'backlog:write',
  errors: ['not_found', 'item_final'],
  audits: ['backlog_item.reprioritised'],
  idempotent: true,
  route: { method: 'PUT', path: '/v1/backlog-items/{backlog_item_id}/priority' },
});
