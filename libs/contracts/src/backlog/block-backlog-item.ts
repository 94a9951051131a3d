import { z } from 'zod';
import { defineOperation } from '../define-operation.js';
import { id, uniqueArray } from '../fields.js';
import { backlogItemObject } from '../objects/backlog-item.js';

export const blockBacklogItem = defineOperation({
  name: 'block_backlog_item',
  area: 'backlog',
  toolSet: 'backlog',
  kind: 'mutation',
  title: 'Block a backlog item',
  summary:
    'Say which items must be closed before this one can start; with `remove: true` take that back. Cycles are refused.',
  input: z.strictObject({ backlog_item_id: id(), blocked_by: uniqueArray(id()), remove: z.boolean().optional() }),
  output: z.object({ backlog_item: backlogItemObject }),
  scope: 'backlog:write',
  errors: ['not_found', 'cycle', 'self_link', 'item_final'],
  audits: ['backlog_item.blocked', 'backlog_item.unblocked'],
  idempotent: true,
  route: { method: 'PUT', path: '/v1/backlog-items/{backlog_item_id}/blockers' },
});
