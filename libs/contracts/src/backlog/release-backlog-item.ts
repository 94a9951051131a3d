import { z } from 'zod';
import { defineOperation } from '../define-operation.js';
import { id, line } from '../fields.js';
import { backlogItemObject } from '../objects/backlog-item.js';

export const releaseBacklogItem = defineOperation({
  name: 'release_backlog_item',
  area: 'backlog',
  toolSet: 'backlog',
  kind: 'mutation',
  title: 'Release a backlog item',
  summary: 'Give back an item in progress, with the reason: it is triaged again and nobody has it.',
  input: z.strictObject({ backlog_item_id: id(), reason: line() }),
  output: z.object({ backlog_item: backlogItemObject }),
  scope: 'backlog:write',
  errors: ['not_found', 'illegal_transition', 'item_final', 'secret_detected'],
  audits: ['backlog_item.released'],
  idempotent: true,
  route: { method: 'POST', path: '/v1/backlog-items/{backlog_item_id}/release' },
});
