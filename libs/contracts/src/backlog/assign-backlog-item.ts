import { z } from 'zod';
import { defineOperation } from '../define-operation.js';
import { id, line } from '../fields.js';
import { backlogItemObject } from '../objects/backlog-item.js';

export const assignBacklogItem = defineOperation({
  name: 'assign_backlog_item',
  area: 'backlog',
  toolSet: 'backlog',
  kind: 'mutation',
  title: 'Assign a backlog item',
  summary:
    'Give an item to somebody by name. Held by another it is refused, naming the holder, unless `reassign` is true.',
  input: z.strictObject({ backlog_item_id: id(), assignee: line(), reassign: z.boolean().optional() }),
  output: z.object({ backlog_item: backlogItemObject }),
  scope: 'backlog:write',
  errors: ['not_found', 'already_assigned', 'item_final', 'secret_detected'],
  audits: ['backlog_item.assigned'],
  idempotent: true,
  route: { method: 'PUT', path: '/v1/backlog-items/{backlog_item_id}/assignee' },
});
